import type { WorkflowBundleOption } from '@temporalio/worker';
import { readFile } from 'node:fs/promises';

/** Every bundle of ours holds these: the names of the workflow and of an activity that it calls. */
const marks = ['agentWorkflow', 'turnloop.callModel'];

/** @throws TypeError with the remedies, when a prebuilt bundle holds none of turnloop's workflows */
export async function checkBundle(bundle: WorkflowBundleOption): Promise<void> {
  const code = 'code' in bundle ? bundle.code : await readFile(bundle.codePath, 'utf8');
  if (marks.every((mark) => code.includes(mark))) return;
  throw new TypeError(
    'workflowBundle holds no workflows of turnloop, so no agent could run: make it with ' +
      'bundleWorkflowCode({ workflowsPath, plugins: [agentPlugin] }), or export agentWorkflow from "turnloop/workflow" in ' +
      'the module you bundle.',
  );
}
