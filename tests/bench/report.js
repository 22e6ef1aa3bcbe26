/**
 * @typedef {{ what: string, yardstick?: string, gateway?: string, ratio?: string, budget?: string }} Row
 */

const COLUMNS = /** @type {const} */ (['what', 'yardstick', 'gateway', 'ratio', 'budget'])

/** Returns the rows as a text table: the first column is left-aligned, and the figures are right-aligned. @param {Row[]} rows */
export function table(rows) {
  const lines = [Object.fromEntries(COLUMNS.map((name) => [name, name])), ...rows]
  const width = (/** @type {string} */ name) => Math.max(...lines.map((line) => cell(line, name).length))
  const widths = Object.fromEntries(COLUMNS.map((name) => [name, width(name)]))
  const [head = '', ...body] = lines.map((line) =>
    COLUMNS.map((name) => {
      const text = cell(line, name)
      return name === 'what' || name === 'budget' ? text.padEnd(widths[name] ?? 0) : text.padStart(widths[name] ?? 0)
    })
      .join('  ')
      .trimEnd(),
  )
  return [head, '─'.repeat(Math.max(head.length, ...body.map((line) => line.length))), ...body].join('\n')
}

/** @param {Record<string, string | undefined>} line @param {string} name */
function cell(line, name) {
  return line[name] ?? ''
}
