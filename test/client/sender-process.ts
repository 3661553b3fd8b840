import { AgentClient } from '../../src/client.ts';

/*
 * A stateless caller in a process of its own: `node sender-process.ts <address> <task queue> <id> <message id> <text>`. It
 * sends, says "sent", asks for the answer, and prints it. With "die" as last argument it kills itself behind "sent".
 */
const [address = '', taskQueue = '', id = '', messageId = '', text = '', die] = process.argv.slice(2);
const agents = await AgentClient.connect({ address });
const run = await agents.send(id, text, { agent: 'parrot', messageId, taskQueue, keepOpenMs: 600_000 });
process.stdout.write('sent\n');
if (die) process.kill(process.pid, 'SIGKILL');
const { turn, text: answer } = await run.ask(text, { id: messageId });
process.stdout.write(`${JSON.stringify({ turn, answer })}\n`);
await agents.close();
