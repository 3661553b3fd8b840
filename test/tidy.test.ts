import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * What the architecture rests on, read from the import lines of src. Two columns share contract.ts; `core` and `workflows`
 * are replayed, the others are not. Each part lists the parts below it that it may import; `type` means as types only.
 */
const below: Record<string, { may: string[]; types?: string[] }> = {
  contract: { may: [] },
  // replayed
  core: { may: ['contract'] },
  workflows: { may: ['core', 'contract'], types: ['activities'] },
  // not replayed
  limits: { may: ['contract'] },
  text: { may: [] },
  stores: { may: ['contract', 'limits'] },
  models: { may: ['contract', 'limits', 'text'] },
  prompt: { may: ['contract', 'limits', 'text'], types: ['models', 'stores'] },
  'check-limits': { may: ['contract', 'limits', 'text', 'tools'] },
  guards: { may: ['contract', 'limits', 'text', 'tools'] },
  tools: { may: ['contract', 'limits', 'text', 'stores', 'models', 'guards', 'check-limits'] },
  activities: {
    may: [
      'contract',
      'limits',
      'check-limits',
      'text',
      'core',
      'entries-of',
      'prompt',
      'tools',
      'models',
      'stores',
      'guards',
    ],
  },
  // doors
  'entries-of': { may: ['core'] },
  index: { may: ['contract', 'limits', 'tools'] },
  'temporal-config': { may: [] },
  connection: { may: [] },
  client: {
    may: ['contract', 'limits', 'core', 'entries-of', 'text', 'temporal-config', 'connection', 'workflows'],
  },
  server: { may: ['temporal-config'] },
  replay: { may: ['replay-divergence'] },
  'replay-divergence': { may: [] },
  worker: {
    may: [
      'contract',
      'limits',
      'check-limits',
      'text',
      'activities',
      'tools',
      'models',
      'stores',
      'server',
      'temporal-config',
      'connection',
    ],
  },
  testing: {
    may: [
      'contract',
      'limits',
      'text',
      'activities',
      'models',
      'stores',
      'tools',
      'server',
      'client',
      'worker',
    ],
  },
  cli: {
    may: [
      'contract',
      'check-limits',
      'core',
      'text',
      'tools',
      'models',
      'stores',
      'server',
      'replay',
      'connection',
      'client',
      'worker',
      'index',
    ],
  },
};
/** Parts that belong together so closely that they may know each other. */
const pairs = new Set(['tools>check-limits', 'check-limits>tools', 'guards>tools']);

/** Packages and Node modules that the replayed column may name. */
const packagesOf: Record<string, RegExp> = {
  contract: /^$/,
  core: /^$/,
  workflows: /^@temporalio\/(workflow|common)$/,
};

const root = fileURLToPath(new URL('../src', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .map((file) => file.replaceAll(sep, '/'));

interface Import {
  file: string;
  target: string;
  typeOnly: boolean;
}

/** A module specifier in an import or export line, or in a dynamic import. */
const importLine =
  /^(?:import|export)\s+(?<type>type\s)?(?:[^'"`;]*?\sfrom\s+)?['"](?<from>[^'"]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"]+)['"]/gm;

function importsOf(file: string, source: string): Import[] {
  return [...source.matchAll(importLine)].map(({ groups = {} }) => ({
    file,
    target: groups['from'] ?? groups['dynamic'] ?? '',
    typeOnly: groups['type'] !== undefined,
  }));
}

/** `tools/registry.ts` belongs to `tools`, `client.ts` to `client`. */
const partOf = (file: string) => file.split('/')[0]!.replace(/\.ts$/, '');

/** Why an import is not allowed; undefined when it is. */
function objection({ file, target, typeOnly }: Import): string | undefined {
  const from = partOf(file);
  const rule = below[from];
  if (rule === undefined) return `src/${file}: say in test/tidy.test.ts what "${from}" may import`;
  if (!target.startsWith('.')) {
    const allowed = packagesOf[from];
    return allowed === undefined || allowed.test(target)
      ? undefined
      : `src/${file} imports the package ${target}`;
  }
  const path = relative(root, normalize(join(root, dirname(file), target))).replaceAll(sep, '/');
  if (path.startsWith('../')) return `src/${file} imports ${target} from outside src`;
  const to = partOf(path);
  if (to === from || rule.may.includes(to)) return undefined;
  if (rule.types?.includes(to) === true) {
    return typeOnly ? undefined : `src/${file} imports ${target}, of which it may know the types only`;
  }
  return `src/${file} imports ${target}, which is not below it`;
}

const withoutComments = (source: string) =>
  source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** What would make a replay differ: clocks, chance, timers, the environment, locales. */
const nondeterministic =
  /(?<![.\w'"`-])(?:Date|Math\.random|performance|crypto|setTimeout|setInterval|setImmediate|queueMicrotask|process|console|fetch|Intl|globalThis)\b(?!['"`]?\s*:)|\.toLocale\w+|\basync\b|\bawait\b/;

describe('import layers', () => {
  test('every file of src imports only what stands below it', () => {
    const objections = files.flatMap((file) =>
      importsOf(file, readFileSync(join(root, file), 'utf8')).flatMap((line) => objection(line) ?? []),
    );
    expect(objections).toEqual([]);
  });

  test('the layers have no circle, apart from the pairs that are named', () => {
    const rank = (part: string, path: string[]): string[] => {
      if (path.includes(part)) return [[...path, part].join(' > ')];
      const { may, types = [] } = below[part] ?? { may: [] };
      return [...may, ...types]
        .filter((next) => !pairs.has(`${part}>${next}`))
        .flatMap((next) => rank(next, [...path, part]));
    };
    expect(Object.keys(below).flatMap((part) => rank(part, []))).toEqual([]);
  });

  test.each([
    [{ file: 'core/turn.ts', target: 'node:crypto', typeOnly: false }, 'imports the package node:crypto'],
    [{ file: 'core/turn.ts', target: '../limits.ts', typeOnly: false }, 'not below it'],
    [
      { file: 'workflows/agent.ts', target: '../activities/call-model.ts', typeOnly: false },
      'the types only',
    ],
    [{ file: 'tools/plan.ts', target: '../activities/run-tool.ts', typeOnly: true }, 'not below it'],
    [{ file: 'cli/start.ts', target: '../../examples/analyst/agent.ts', typeOnly: false }, 'outside src'],
    [{ file: 'newcomer/a.ts', target: './b.ts', typeOnly: false }, 'say in test/tidy.test.ts'],
  ])('%j is refused', (line, why) => {
    expect(objection(line)).toContain(why);
  });

  test('an import over several lines, a re-export and a dynamic import are all seen', () => {
    const source =
      "import {\n  a,\n} from './a.ts';\nexport type { B } from './b.ts';\nconst c = await import('./c.ts');\n";
    expect(importsOf('x.ts', source)).toEqual([
      { file: 'x.ts', target: './a.ts', typeOnly: false },
      { file: 'x.ts', target: './b.ts', typeOnly: true },
      { file: 'x.ts', target: './c.ts', typeOnly: false },
    ]);
  });
});

describe('the core', () => {
  test('names nothing nondeterministic', () => {
    const found = files
      .filter((file) => file.startsWith('core/'))
      .flatMap((file) => {
        const hit = nondeterministic.exec(withoutComments(readFileSync(join(root, file), 'utf8')));
        return hit === null ? [] : [`src/${file}: ${hit[0]}`];
      });
    expect(found).toEqual([]);
  });

  test.each([
    'Date.now()',
    'new Date()',
    'Math.random()',
    'setTimeout(f)',
    'process.env',
    'n.toLocaleString()',
    'await x',
  ])('%s would be noticed', (code) => {
    expect(withoutComments(`const a = ${code};`)).toMatch(nondeterministic);
  });
});
