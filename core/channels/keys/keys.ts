/** One of several keys, and the number of its first line, starting at 1. */
interface KeyLine {
  key: string
  line: number
}

/** Returns the keys in a text, one per line. A JSON document, such as a service account's key, may span lines. */
export function keyLines(text: string): KeyLine[] {
  const keys: KeyLine[] = []
  let document = ''
  let start = 1
  for (const [at, line] of text.split('\n').entries()) {
    if (document === '' && !line.trimStart().startsWith('{')) {
      keys.push({ key: line.trim(), line: at + 1 })
      continue
    }
    if (document === '') start = at + 1
    document += `${line}\n`
    if (!line.trimEnd().endsWith('}') || !isJson(document)) continue
    keys.push({ key: document.trim(), line: start })
    document = ''
  }
  return [...keys, { key: document.trim(), line: start }].filter(({ key }) => key !== '')
}

export function splitKeys(text: string): string[] {
  return keyLines(text).map(({ key }) => key)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
