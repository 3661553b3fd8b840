import { Agent, fetch as undiciFetch } from 'undici';

/** A server that doesn't even take the connection is down; waiting longer tells nothing. */
const connectTimeoutMs = 30_000;

/**
 * Node's own fetch ends a request whose headers or next bytes take over 300 s. A model may think for longer: how long is the
 * limit `modelCallTimeoutMs`, and nothing below it may be shorter.
 */
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectTimeoutMs } });

/** `fetch` without time-outs of its own, for requests that are bounded by their signal. */
export const patientFetch = ((url: string, init?: object) =>
  undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
