/**
 * Why some provider would refuse a schema, as the rest of a sentence that begins with its place (` is …`,
 * `.properties.x …`); undefined when all take it. What is checked is what OpenAI, Anthropic and Gemini document or answer
 * with status 400: one bad schema makes them refuse the whole request.
 */
export function schemaProblem(schema: Record<string, unknown>): string | undefined {
  if (schema.type !== 'object')
    return `.type is ${JSON.stringify(schema.type) ?? 'missing'}. The arguments of a tool are an object: write type: "object".`;
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
    if (keyword in schema)
      return `.${keyword} stands at the top level, where providers refuse it. Put it into a property.`;
  return nodeProblem(schema, '', 0);
}

/** Property names as Anthropic's documentation asks for them. */
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;
/** OpenAI's bound on nesting is lower in strict mode; more than this is a schema that no model fills in. */
const depthMax = 32;

type Node = Record<string, unknown>;

function nodeProblem(node: unknown, path: string, depth: number): string | undefined {
  if (typeof node === 'boolean') return undefined;
  if (!isNode(node)) return `${path} is ${JSON.stringify(node)}. A schema is an object.`;
  if (depth > depthMax) return `${path} is nested more than ${depthMax} levels deep. Make it flatter.`;
  return (
    refProblem(node, path) ??
    arrayProblem(node, path) ??
    propertiesProblem(node, path, depth) ??
    childrenProblem(node, path, depth)
  );
}

function refProblem({ $ref }: Node, path: string): string | undefined {
  if ($ref === undefined || (typeof $ref === 'string' && $ref.startsWith('#'))) return undefined;
  return `${path}.$ref is ${JSON.stringify($ref)}. Only references inside the schema work: "#/$defs/…".`;
}

function arrayProblem(node: Node, path: string): string | undefined {
  if (node.prefixItems !== undefined || Array.isArray(node.items))
    return `${path} is a tuple, which providers refuse. Use an object with named fields.`;
  if (![node.type].flat().includes('array') || node.items !== undefined) return undefined;
  return `${path} is a list without items. Say what it holds: items: { type: … }.`;
}

function propertiesProblem(node: Node, path: string, depth: number): string | undefined {
  const { properties = {}, required = [] } = node;
  if (!isNode(properties))
    return `${path}.properties is ${JSON.stringify(properties)}. Give an object with a schema for each name.`;
  for (const [name, schema] of Object.entries(properties)) {
    if (!propertyName.test(name) || name === '__proto__')
      return `${path}.properties has the name ${JSON.stringify(name)}. Use letters, digits, "_", "." and "-", at most 64.`;
    const problem = nodeProblem(schema, `${path}.properties.${name}`, depth + 1);
    if (problem) return problem;
  }
  if (!Array.isArray(required))
    return `${path}.required is ${JSON.stringify(required)}. Give a list of names.`;
  const unknown = required.find((name) => !Object.hasOwn(properties, String(name)));
  if (unknown === undefined) return undefined;
  return `${path}.required names ${JSON.stringify(unknown)}, which is not in properties. Add it there or leave it out.`;
}

function childrenProblem(node: Node, path: string, depth: number): string | undefined {
  const children: [string, unknown][] = [
    ...['items', 'additionalProperties', 'not'].map((key) => [key, node[key]] as [string, unknown]),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) =>
      Array.isArray(node[key]) ? node[key].map((each, i): [string, unknown] => [`${key}[${i}]`, each]) : [],
    ),
    ...['$defs', 'definitions'].flatMap((key) =>
      isNode(node[key])
        ? Object.entries(node[key]).map(([name, each]): [string, unknown] => [`${key}.${name}`, each])
        : [],
    ),
  ];
  for (const [key, child] of children) {
    const problem = child === undefined ? undefined : nodeProblem(child, `${path}.${key}`, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
