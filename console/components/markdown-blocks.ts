const FENCE = /^\s*(`{3,}|~{3,})(.*)$/
/** Matches a line that continues a block after an empty line: an indented line, or a possibly incomplete list item. */
const CONTINUES = /^(\s|[-*+](\s|$)|\d+([.)](\s|$)|$))/
/** Matches text that must not be split. Raw HTML may span empty lines, and link definitions apply to the whole text. */
const UNDIVIDED = /^ {0,3}(<|\[[^\]]+\]:)/m

/**
 * Splits Markdown at empty lines, but only where this does not change the meaning. While a reply grows, only the last
 * block changes, so the other blocks are not parsed again.
 */
export function markdownBlocks(text: string): string[] {
  if (UNDIVIDED.test(text)) return [text]
  const blocks: string[] = []
  let block: string[] = []
  let fence = ''
  for (const line of text.split('\n')) {
    const afterEmptyLine = block.at(-1)?.trim() === ''
    if (!fence && afterEmptyLine && line.trim() !== '' && !CONTINUES.test(line)) {
      blocks.push(block.join('\n'))
      block = []
    }
    block.push(line)
    fence = fenceAfter(line, fence)
  }
  return [...blocks, block.join('\n')]
}

/** Returns the fence of the code block that is open after the line; empty if no code block is open. */
function fenceAfter(line: string, open: string): string {
  const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
  if (!mark) return open
  if (!open) return mark.startsWith('`') && rest.includes('`') ? '' : mark
  const closes = mark[0] === open[0] && mark.length >= open.length && rest.trim() === ''
  return closes ? '' : open
}
