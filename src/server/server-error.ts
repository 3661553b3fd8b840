/** No Temporal server could be found or started. The message names what was tried and what to do. */
export class ServerError extends Error {
  override name = 'ServerError';
}
