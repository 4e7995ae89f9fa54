import { type Api, api } from '../api/client.ts';
import type { ViewedList } from './view-address.ts';

export type View = Api['ViewDto'];

/** More than a menu shows well. */
const VIEWS_MAX = 500;

/** The views of a list that the user sees, newest first: own ones, and shared ones of others. */
export const useViews = (list: ViewedList) =>
  api.useQuery('get', '/api/v3/views', { params: { query: { list, limit: VIEWS_MAX } } });
