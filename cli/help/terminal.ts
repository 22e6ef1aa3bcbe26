import type { HelpBlock } from '../command.ts'
import { displayWidth, padded, wrapped } from '../output/display-width.ts'
import type { Texts } from '../texts.ts'
import type { HelpItem, HelpPage, HelpSection } from './page.ts'

/** Functions that style the parts of a page. Without color, these functions return the text unchanged. */
export interface Paint {
  title(text: string): string
  term(text: string): string
  faint(text: string): string
}

export const PLAIN: Paint = { title: (text) => text, term: (text) => text, faint: (text) => text }

const INDENT = 2
const GAP = 2
const WIDTH = { default: 80, min: 40 }
/** Maximum width of a term beside its text. Longer terms get their own line. */
const TERM_MAX = 30

/** Renders a help page, at most `width` columns wide. The default is 80, the minimum 40. */
export function renderPage(
  page: HelpPage,
  { width, paint, t }: { width: number | undefined; paint: Paint } & Pick<Texts, 't'>,
): string {
  const room = Math.max(WIDTH.min, width || WIDTH.default)
  const parts = [
    ...(page.description ? [wrapped(page.description, room).join('\n')] : []),
    `${paint.title(t('program.usageTitle'))} ${page.usage}`,
    ...page.sections.map((section) => renderSection(section, { room, paint })),
    ...page.blocks.map((block) => renderBlock(block, { room, paint })),
  ]
  return `${parts.join('\n\n')}\n`
}

function renderSection({ title, items }: HelpSection, { room, paint }: { room: number; paint: Paint }): string {
  const widths = items.map(({ term }) => displayWidth(term)).filter((width) => width <= TERM_MAX)
  const column = Math.max(0, ...widths) + GAP
  return [paint.title(title), ...items.map((item) => renderItem(item, { column, room, paint }))].join('\n')
}

function renderItem(
  { term, text }: HelpItem,
  { column, room, paint }: { column: number; room: number; paint: Paint },
): string {
  const lines = wrapped(text, room - INDENT - column)
  const indent = ' '.repeat(INDENT + column)
  const paintedTerm = paint.term(padded(term, column))
  const [first = '', ...moreLines] = lines
  const start =
    displayWidth(term) + GAP <= column
      ? `${paintedTerm}${first}`
      : `${paintedTerm.trimEnd()}${first ? `\n${indent}${first}` : ''}`
  return [`${' '.repeat(INDENT)}${start}`.trimEnd(), ...moreLines.map((line) => indent + line)].join('\n')
}

function renderBlock({ title, lines = [], prose }: HelpBlock, { room, paint }: { room: number; paint: Paint }): string {
  return [
    ...(title ? [paint.title(title)] : []),
    ...(prose ? wrapped(prose, room) : []),
    ...lines.map((line) => `${' '.repeat(INDENT)}${line.startsWith('#') ? paint.faint(line) : line}`),
  ].join('\n')
}
