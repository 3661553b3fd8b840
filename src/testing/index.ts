/**
 * turnloop/testing: a Temporal server, a scripted model as strict as the real ones, and one tool without a model. Needs
 * `@copilotkit/aimock` for `scriptedModel` and `@temporalio/testing` for `testTool`.
 */
export { startTemporal } from './start-temporal.ts';
export type { StartTemporalOptions, TestTemporal, TestWorkerOptions } from './start-temporal.ts';
export { scriptedModel, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts';
export type {
  ChatRequest,
  Reply,
  ReplyFunction,
  ScriptedAnswer,
  ScriptedCall,
  ScriptedError,
  ScriptedRaw,
} from './reply.ts';
export type { RawReply } from './raw-endpoint.ts';
export type { Provider } from './provider.ts';
export { testTool, type TestedTool, type TestToolOptions } from './test-tool.ts';
export { findIllegal, type LegalOptions } from './legal-transcript.ts';
