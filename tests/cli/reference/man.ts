import type { Block, Item, Section } from '../../../cli/help/page.ts'
import { VERSION } from '../../../core/version.ts'
import { type Chapter, ENVIRONMENT, EXIT_CODES } from './command-line.ts'

/** man/tollgate.1, in the macros of man(7). */
export function manOf(program: Chapter): string {
  const { page, below } = program
  return [
    '.\\" Written by npm run cli-docs; edit the commands instead.',
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
    text(
      'Commands work on the database of this machine or, with --server, --profile or after tollgate login, on a gateway elsewhere.',
    ),
    ...page.sections
      .filter(({ title }) => title === 'Global options:')
      .flatMap(({ items }) => ['.SH OPTIONS', ...itemLines(items)]),
    '.SH COMMANDS',
    ...below.flatMap(chapterLines),
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
    ]),
    ...page.blocks
      .filter(({ lines }) => lines)
      .flatMap(({ title = '', lines = [] }) => titledLines(title, lines, '.SH')),
    '',
  ].join('\n')
}

function chapterLines({ page, below }: Chapter): string[] {
  if (below.length) return [`.SS ${text(page.words)}`, text(page.description), ...below.flatMap(verbLines)]
  return [`.SS ${text(page.words)}`, ...body(page)]
}

function verbLines(chapter: Chapter): string[] {
  const { page, below } = chapter
  return below.length ? below.flatMap(verbLines) : ['.PP', `.B ${text(page.words)}`, '.br', ...body(page)]
}

function body({ usage, description, sections, blocks }: Chapter['page']): string[] {
  return [text(description), '.PP', text(usage), ...sections.flatMap(sectionLines), ...blocks.flatMap(blockLines)]
}

function sectionLines({ title, items }: Section): string[] {
  return ['.PP', `.I ${text(title)}`, ...itemLines(items)]
}

function itemLines(items: readonly Item[]): string[] {
  return items.flatMap((item) => ['.TP', `.B ${text(item.term.trim())}`, text(item.text || '-')])
}

function blockLines({ title, lines = [], prose }: Block): string[] {
  return [...(prose ? ['.PP', text(prose)] : []), ...(lines.length ? titledLines(title ?? '', lines, '.I') : [])]
}

function titledLines(title: string, lines: readonly string[], macro: string): string[] {
  const heading = title ? [`${macro} ${text(title.replace(/:$/, ''))}`] : []
  return [...(macro === '.SH' ? [] : ['.PP']), ...heading, '.PP', '.nf', '.RS', ...lines.map(text), '.RE', '.fi']
}

/** No line may start with a control character, and hyphens are to be copied as they are. */
function text(written: string): string {
  const safe = written
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1')
  return safe.replaceAll('’', "'")
}
