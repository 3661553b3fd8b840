import type { ReplyUsage, Usage } from '../contract.ts';

export const noUsage: Usage = {
  requests: 0,
  failedRequests: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  estimated: false,
};

/** The sum; a cost is there when either has one. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost =
    a.costUsd === undefined && b.costUsd === undefined ? undefined : (a.costUsd ?? 0) + (b.costUsd ?? 0);
  return {
    requests: a.requests + b.requests,
    failedRequests: a.failedRequests + b.failedRequests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    estimated: a.estimated || b.estimated,
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}

/** With requests added that got no answer. */
export const withFailed = (usage: Usage, failedRequests: number): Usage => ({
  ...usage,
  failedRequests: usage.failedRequests + failedRequests,
});

export const totalTokens = (usage: Usage): number => usage.promptTokens + usage.completionTokens;

/** Usage of a reply with the defaults of what is absent. */
export const usageOfReply = (usage: ReplyUsage): Usage => ({ ...noUsage, requests: 1, ...usage });

/** Only what differs from the defaults: it stands in the history once a reply. */
export function slimUsage(usage: Usage): ReplyUsage {
  const { requests, ...counts } = usage;
  const set = Object.entries(counts).filter(([, value]) => value !== 0 && value !== false);
  return { ...(requests === 1 ? {} : { requests }), ...Object.fromEntries(set) };
}
