/** Options of a list that is loaded page by page, and kept while another instant is read. */
export const PAGES = {
  pageParamName: 'cursor',
  initialPageParam: null,
  getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
  placeholderData: <Data>(before: Data) => before,
};
