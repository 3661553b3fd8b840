import {
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
  type GrpcRetryOptions,
} from '@temporalio/client';

export type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Parameters<Interceptor>[1]>;
type Status = Parameters<GrpcRetryOptions['delayFunction']>[1];

const patience = defaultGrpcRetryOptions();
/** gRPC CANCELLED: not tried again. */
const cancelled = 1;

/**
 * The SDK's own retries of a request. When the connection is closed while one of them is due, the SDK's would throw inside
 * a timer, where nobody can catch it, and the request would never end: here it ends, as cancelled.
 */
export const retryUntilClosed: Interceptor = (options, nextCall) => {
  let failed: Status | undefined;
  const retrying = makeGrpcRetryInterceptor({
    ...patience,
    delayFunction(attempt, status) {
      failed = status;
      return patience.delayFunction(attempt, status);
    },
  });
  return retrying(options, (own) => {
    try {
      return nextCall(own);
    } catch (error) {
      // Of the first attempt whoever makes the request hears.
      if (failed === undefined) throw error;
      const details = `the connection was closed; the request had failed before: ${failed.details}`;
      return endedCall({ ...failed, code: cancelled, details });
    }
  });
};

/** A call that is over as soon as it is started. */
function endedCall(status: Status): Call {
  const nothing = () => {};
  return {
    start: (_metadata, listener) => listener?.onReceiveStatus?.(status),
    sendMessage: nothing,
    sendMessageWithContext: nothing,
    startRead: nothing,
    halfClose: nothing,
    cancelWithStatus: nothing,
    getPeer: () => '',
    getAuthContext: () => null,
  };
}
