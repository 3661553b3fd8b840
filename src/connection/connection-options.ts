import type { ConnectionOptions } from '@temporalio/client';
import { retryUntilClosed } from './retry.ts';

/** A history may be far larger than gRPC's 4 MB; the SDK's own option for that lacks the prefix and does nothing. */
const receivedBytesMax = 128 << 20;

/** What a connection needs that reads runs and may be closed at any time. What is given goes first. */
export function connectionForRuns(options: ConnectionOptions): ConnectionOptions {
  return {
    ...options,
    channelArgs: { 'grpc.max_receive_message_length': receivedBytesMax, ...options.channelArgs },
    interceptors: options.interceptors ?? [retryUntilClosed],
  };
}
