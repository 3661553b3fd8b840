import { incompressible } from './incompressible.ts';

export interface FloorActivities {
  ask(input: {
    model: string;
    runId: string;
  }): Promise<{ text: string } | { text?: undefined; args: string }>;
  look(input: { runId: string; args: string }): Promise<string>;
}

interface Reply {
  content: string | null;
  tool_calls?: { id: string; function: { arguments: string } }[];
}

const tools = [
  {
    type: 'function',
    function: {
      name: 'lookup',
      parameters: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
    },
  },
];

/**
 * The floor's activities. Conversations live in this process, so that no payload repeats them: a floor for size and speed,
 * which does not survive its worker.
 */
export function floorActivities(baseURL: string, resultChars: number): FloorActivities {
  const conversations = new Map<string, unknown[]>();
  const conversation = (runId: string): unknown[] => {
    const known = conversations.get(runId) ?? [
      { role: 'system', content: 'You are a helpful agent.' },
      { role: 'user', content: 'Look everything up.' },
    ];
    conversations.set(runId, known);
    return known;
  };
  const openCalls = new Map<string, string>();

  return {
    async ask({ model, runId }) {
      const messages = conversation(runId);
      const response = await fetch(`${baseURL}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages, tools }),
      });
      const { choices } = (await response.json()) as { choices: { message: Reply }[] };
      const message = choices[0]!.message;
      messages.push(message);
      const call = message.tool_calls?.[0];
      if (call) {
        openCalls.set(runId, call.id);
        return { args: call.function.arguments };
      }
      conversations.delete(runId);
      return { text: message.content ?? '' };
    },

    async look({ runId, args }) {
      const { key } = JSON.parse(args) as { key: string };
      const content = incompressible(key, resultChars);
      conversation(runId).push({ role: 'tool', tool_call_id: openCalls.get(runId), content });
      return content;
    },
  };
}
