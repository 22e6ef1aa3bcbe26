import { createHash } from 'node:crypto'
import { type Json, objectsOf, textOf } from '../../json.ts'

/*
 * Clients of the Responses API group tools in namespaces, and have a shell tool without a schema. Other formats have
 * only one list of functions. So each tool of a namespace, and the shell, gets a unique function name. In replies, the
 * client's name is restored.
 */

/** A tool with the name that the client uses. */
export interface ClientTool {
  readonly name: string
  readonly namespace?: string
  /** True for the client's own shell, whose calls have a separate item type. */
  readonly isShell?: boolean
}

/** The function names of a request's tools, in both directions. */
export interface ToolNames {
  /** Returns the function name of a tool, even if the request no longer declares the tool. */
  functionName(tool: ClientTool): string
  /** Returns the tool that was renamed to `functionName`, if any. */
  clientTool(functionName: string): ClientTool | undefined
}

export const SHELL_TOOL: ClientTool = { name: 'local_shell', isShell: true }

const NAME_LENGTH_MAX = 64
const DIGEST_LENGTH = 8

/** Returns the function names for `tools` of a request. The same tools get the same names in each turn. */
export function toolNames(tools: unknown): ToolNames {
  const declared = objectsOf(tools)
  if (!declared.some(isRenamed)) return PLAIN_NAMES
  // Functions keep their names. If a renamed tool would get the name of a function, the tool gets another name.
  const usedNames = new Set(declared.flatMap((tool) => (isRenamed(tool) ? [] : (declaredName(tool) ?? []))))
  const byFunction = new Map<string, ClientTool>()
  const byTool = new Map<string, string>()
  for (const tool of declared.flatMap(renamedTools)) {
    const key = keyOf(tool)
    if (byTool.has(key)) continue
    const name = uniqueName(tool, usedNames)
    usedNames.add(name)
    byFunction.set(name, tool)
    byTool.set(key, name)
  }
  return {
    functionName: (tool) => byTool.get(keyOf(tool)) ?? plainName(tool),
    clientTool: (name) => byFunction.get(name),
  }
}

const PLAIN_NAMES: ToolNames = { functionName: plainName, clientTool: () => undefined }

const isRenamed = ({ type }: Json): boolean => type === 'namespace' || type === 'local_shell'

const declaredName = (tool: Json): string | undefined => textOf(tool.name)

function renamedTools(tool: Json): ClientTool[] {
  if (tool.type === 'local_shell') return [SHELL_TOOL]
  if (tool.type !== 'namespace') return []
  const namespace = declaredName(tool) ?? ''
  return objectsOf(tool.tools).flatMap((inner) => {
    const name = declaredName(inner)
    return name === undefined ? [] : [{ name, namespace }]
  })
}

const keyOf = ({ name, namespace, isShell = false }: ClientTool): string =>
  JSON.stringify([namespace ?? null, name, isShell])

/**
 * Returns a tool's function name, before the check for collisions: namespace and name, in characters that every format
 * allows.
 */
function plainName(tool: ClientTool): string {
  const { name, namespace } = tool
  if (namespace === undefined || namespace === '') return name
  const joined = `${namespace}${namespace.endsWith('_') ? '' : '__'}${name}`
  const allowedName = joined.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
  return allowedName === joined && allowedName.length <= NAME_LENGTH_MAX ? allowedName : withDigest(allowedName, tool)
}

function uniqueName(tool: ClientTool, usedNames: ReadonlySet<string>): string {
  let name = plainName(tool)
  for (let round = 0; usedNames.has(name); round++) name = withDigest(plainName(tool), tool, round)
  return name
}

function withDigest(name: string, tool: ClientTool, round = 0): string {
  const digest = createHash('sha256')
    .update(`${keyOf(tool)}${round}`)
    .digest('hex')
    .slice(0, DIGEST_LENGTH)
  return `${name.slice(0, NAME_LENGTH_MAX - DIGEST_LENGTH - 1)}_${digest}`
}
