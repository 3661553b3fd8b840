/**
 * Where contexts, paid replies and full tool results are kept. A cache beside the history: everything works without it,
 * at the price of a resend or of a result that can no longer be read. Implementations run `test/stores/store-contract.ts`.
 */
export interface Store {
  /** The bytes under a key; undefined when they are not there, can't be read, or don't match their digest. Never rejects. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Keeps the bytes, atomically: a reader sees all of them or none. Resolves to false when they couldn't be kept. Never rejects. */
  put(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Frees what the store holds open. */
  close(): Promise<void>;
}
