import type { HelpBlock } from '../../cli/command.ts'
import type { HelpItem, HelpSection } from '../../cli/help/page.ts'
import { VERSION } from '../../core/version.ts'
import { type Chapter, ENVIRONMENT, EXIT_CODES } from '../cli/reference/command-line.ts'

const WRITTEN = '.\\" Written by npm run generate; edit the commands instead.'

/** Returns man/tollgate.1, in the macros of man(7). The page has what all commands share, and a line for each noun. */
export function manOf(program: Chapter): string {
  const { page, below } = program
  return [
    WRITTEN,
    `.TH TOLLGATE 1 "" "Tollgate ${VERSION}" "Tollgate"`,
    '.SH NAME',
    'tollgate \\- an AI model gateway',
    '.SH SYNOPSIS',
    '.B tollgate',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    text(page.description),
    '.PP',
    text('Commands use the local database. With --server or --profile, or after tollgate login, they use a server.'),
    ...globalOptions(program),
    '.SH COMMANDS',
    ...itemLines(below.map((chapter) => ({ term: chapter.page.words, text: chapter.page.description }))),
    '.SH EXIT STATUS',
    ...itemLines(EXIT_CODES.map(([term, meaning]) => ({ term, text: meaning }))),
    '.SH ENVIRONMENT',
    ...itemLines(ENVIRONMENT.map(([term, meaning]) => ({ term, text: meaning }))),
    '.SH FILES',
    ...itemLines([
      { term: './tollgate.yaml', text: 'settings, by the names of tollgate config in lower case' },
      {
        term: '~/.config/tollgate/profiles.json',
        text: 'gateways that tollgate login has signed in to; only its owner can read it',
      },
      {
        term: '~/.cache/tollgate/',
        text: 'ids and names for shell completion; only its owner can read it',
      },
    ]),
    ...page.blocks
      .filter(({ lines }) => lines)
      .flatMap(({ title = '', lines = [] }) => titledLines(title, lines, '.SH')),
    '.SH SEE ALSO',
    text(below.map((chapter) => `${manName(chapter)}(1)`).join(', ')),
    '',
  ].join('\n')
}

/** Returns the pages of the nouns, by the name of their file in man/: `tollgate-token.1`. */
export function nounManPages(program: Chapter): ReadonlyMap<string, string> {
  return new Map(program.below.map((chapter) => [`${manName(chapter)}.1`, nounPage(chapter, program)]))
}

const manName = ({ page }: Chapter) => page.words.replaceAll(' ', '-')

function nounPage(chapter: Chapter, program: Chapter): string {
  const { page, below } = chapter
  const name = manName(chapter)
  return [
    WRITTEN,
    `.TH ${name.toUpperCase()} 1 "" "Tollgate ${VERSION}" "Tollgate"`,
    '.SH NAME',
    `${text(name)} \\- ${text(page.description)}`,
    '.SH SYNOPSIS',
    text(page.usage),
    ...(below.length > 0 ? ['.SH COMMANDS', ...below.flatMap(verbLines)] : ['.SH DESCRIPTION', ...body(page)]),
    ...globalOptions(program),
    '.SH SEE ALSO',
    'tollgate(1)',
    '',
  ].join('\n')
}

function globalOptions({ page }: Chapter): string[] {
  return page.sections
    .filter(({ title }) => title === 'Global options:')
    .flatMap(({ items }) => ['.SH OPTIONS', ...itemLines(items)])
}

function verbLines(chapter: Chapter): string[] {
  const { page, below } = chapter
  return below.length ? below.flatMap(verbLines) : ['.PP', `.B ${text(page.words)}`, '.br', ...body(page)]
}

function body({ usage, description, sections, blocks }: Chapter['page']): string[] {
  return [text(description), '.PP', text(usage), ...sections.flatMap(sectionLines), ...blocks.flatMap(blockLines)]
}

function sectionLines({ title, items }: HelpSection): string[] {
  return ['.PP', `.I ${text(title)}`, ...itemLines(items)]
}

function itemLines(items: readonly HelpItem[]): string[] {
  return items.flatMap((item) => ['.TP', `.B ${text(item.term.trim())}`, text(item.text || '-')])
}

function blockLines({ title, lines = [], prose }: HelpBlock): string[] {
  return [...(prose ? ['.PP', text(prose)] : []), ...(lines.length ? titledLines(title ?? '', lines, '.I') : [])]
}

function titledLines(title: string, lines: readonly string[], macro: string): string[] {
  const heading = title ? [`${macro} ${text(title.replace(/:$/, ''))}`] : []
  return [...(macro === '.SH' ? [] : ['.PP']), ...heading, '.PP', '.nf', '.RS', ...lines.map(text), '.RE', '.fi']
}

/** Escapes a line. A line must not start with a control character, and readers must be able to copy hyphens. */
function text(written: string): string {
  const safe = written
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1')
  return safe.replaceAll('’', "'")
}
