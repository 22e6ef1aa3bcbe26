const FENCE = /^\s*(`{3,}|~{3,})(.*)$/
/** Goes on with the block before the empty line: indented, or the next item of a list, which may have only begun. */
const CONTINUES = /^(\s|[-*+](\s|$)|\d+([.)](\s|$)|$))/
/** Raw HTML may span empty lines, and a definition is good for the whole text: such a text stays in one piece. */
const UNDIVIDED = /^ {0,3}(<|\[[^\]]+\]:)/m

/**
 * Divides Markdown at empty lines where the parts mean the same alone. While a reply grows only its last part changes,
 * and the parts before it need not be read again.
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

/** The mark of the code block that is open after the line; empty when none is. */
function fenceAfter(line: string, open: string): string {
  const [, mark = '', rest = ''] = FENCE.exec(line) ?? []
  if (!mark) return open
  if (!open) return mark.startsWith('`') && rest.includes('`') ? '' : mark
  const closes = mark[0] === open[0] && mark.length >= open.length && rest.trim() === ''
  return closes ? '' : open
}
