/**
 * The keys in a text that has one in each line. A key that is a JSON document, such as a service account's, is one key
 * however many lines it has.
 */
export function splitKeys(text: string): string[] {
  const keys: string[] = []
  let document = ''
  for (const line of text.split('\n')) {
    if (document === '' && !line.trimStart().startsWith('{')) {
      keys.push(line.trim())
      continue
    }
    document += `${line}\n`
    if (!line.trimEnd().endsWith('}') || !isJson(document)) continue
    keys.push(document.trim())
    document = ''
  }
  return [...keys, document.trim()].filter((key) => key !== '')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
