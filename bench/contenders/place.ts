/** Where contenders run. */
export interface Place {
  /** A folder for files, deleted at the end. */
  folder: string;
  /** Environment of every worker: the addresses of Temporal and of the model. */
  env: { TEMPORAL_ADDRESS: string; MODEL_PORT: string; MODEL_URL: string };
}
