import { isRecord } from '../records.ts'

/** Matches one JSON token: a string, a punctuation mark, a number, or a literal such as `true`. */
const TOKEN = /"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g
const INDENT = '  '

/** Reformats JSON text, and keeps numbers and keys as written. Returns undefined for invalid JSON. */
export function formatJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const tokens = text.match(TOKEN) ?? []
  let depth = 0
  let result = ''
  tokens.forEach((token, index) => {
    const next = tokens[index + 1] ?? ''
    const previous = tokens[index - 1] ?? ''
    if ('{['.includes(token)) {
      depth += 1
      result += token + ('}]'.includes(next) ? '' : newLine(depth))
    } else if ('}]'.includes(token)) {
      depth -= 1
      result += ('{['.includes(previous) ? '' : newLine(depth)) + token
    } else if (token === ',') result += token + newLine(depth)
    else if (token === ':') result += ': '
    else result += token
  })
  return result
}

/**
 * Sets one member in the text of a JSON object; an undefined `value` removes the member. Other values stay as written,
 * because parsing and printing can change numbers. Returns undefined if the text is not a JSON object.
 */
export function withMember(text: string, name: string, value: string | undefined): string | undefined {
  const members = membersOf(text)
  if (!members) return undefined
  const newTexts = value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]
  const index = members.findIndex((member) => member.name === name)
  const otherTexts = members.filter((member) => member.name !== name).map(({ text }) => text)
  return `{${otherTexts.toSpliced(index < 0 ? otherTexts.length : index, 0, ...newTexts).join()}}`
}

/** Returns the name and raw text of each member of a JSON object. Undefined if the text is not a JSON object. */
function membersOf(text: string): { name: string; text: string }[] | undefined {
  if (!isJson(text)) return undefined
  const [first, ...tokens] = text.match(TOKEN) ?? []
  if (first !== '{') return undefined
  const members: string[][] = [[]]
  let depth = 1
  for (const token of tokens) {
    if ('{['.includes(token)) depth += 1
    if ('}]'.includes(token)) depth -= 1
    if (depth === 0) break
    if (depth === 1 && token === ',') members.push([])
    else members.at(-1)?.push(token)
  }
  return members
    .filter((member) => member.length > 0)
    .map((member) => ({ name: JSON.parse(member[0] ?? ''), text: member.join('') }))
}

/** Parses a JSON object. Empty text gives an empty object. Returns undefined for any other text. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function newLine(depth: number): string {
  return `\n${INDENT.repeat(depth)}`
}
