import { stopRunning } from './running-server.ts';

export default (): Promise<void> => stopRunning();
