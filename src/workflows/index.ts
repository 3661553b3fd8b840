/** The workflows of turnloop: what a worker bundles (`workflowsPath`) and what `turnloop/workflow` exports. */
export { agentWorkflow } from './agent.ts';
export { describeAgentsWorkflow } from './describe-agents.ts';
export { runAgent } from './run-agent.ts';
