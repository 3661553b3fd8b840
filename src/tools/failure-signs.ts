/** What can be read off a thrown value, wherever in its chain of causes it stands. Never by class: errors cross realms. */
export interface FailureSigns {
  /** The thrown value and its causes, outermost first. */
  chain: Record<string, unknown>[];
  code: string | undefined;
  /** HTTP status. */
  status: number | undefined;
  isConnection: boolean;
  isTimeout: boolean;
}

/** Causes that are followed; `AggregateError` (a connection tried over several addresses) counts by its first errors. */
const chainMax = 8;

export function failureSigns(error: unknown): FailureSigns {
  const chain: Record<string, unknown>[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && chain.length < chainMax) {
    const next = open.shift();
    if (typeof next !== 'object' || next === null || chain.includes(next as Record<string, unknown>))
      continue;
    const link = next as Record<string, unknown>;
    chain.push(link);
    open.push(link.cause, ...(Array.isArray(link.errors) ? link.errors : []));
  }
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
  return {
    chain,
    code: codes[0],
    status: chain.map(statusOf).find((status) => status !== undefined),
    isConnection: codes.some((code) => connectionCodes.has(code) || /^08[0-9A-Z]{3}$/.test(code)),
    isTimeout: chain.some(
      ({ name }) => typeof name === 'string' && /^(?:connect(?:ion)?)?timeout(?:error)?$/i.test(name),
    ),
  };
}

/** Of Node's sockets and DNS, and of undici (Node's fetch). SQLSTATE class 08 (connection exception) is matched above. */
const connectionCodes = new Set([
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'ESOCKETTIMEDOUT',
    'EAI_AGAIN',
    'ENOTFOUND',
  ],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ERR_STREAM_PREMATURE_CLOSE'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_SOCKET'],
]);

/** Where HTTP libraries put it: fetch wrappers and SDKs `status`, got and Node `statusCode`, axios `response.status`. */
function statusOf({ status, statusCode, response }: Record<string, unknown>): number | undefined {
  const inner = (response ?? {}) as { status?: unknown; statusCode?: unknown };
  return [status, statusCode, inner.status, inner.statusCode].find(
    (value): value is number =>
      Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599,
  );
}

/** A header of the response an error tells of, whether its headers are a `Headers` or a plain object. */
export function errorHeader(chain: FailureSigns['chain'], name: string): string | undefined {
  for (const { headers, response } of chain)
    for (const found of [headers, (response as { headers?: unknown } | null | undefined)?.headers]) {
      if (typeof found !== 'object' || found === null) continue;
      const { get } = found as { get?: unknown };
      const value: unknown =
        typeof get === 'function'
          ? get.call(found, name)
          : Object.entries(found).find(([key]) => key.toLowerCase() === name)?.[1];
      const first: unknown = Array.isArray(value) ? value[0] : value;
      if (typeof first === 'string' || typeof first === 'number') return String(first);
    }
  return undefined;
}
