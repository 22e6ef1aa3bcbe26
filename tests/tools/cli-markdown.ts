import type { HelpBlock } from '../../cli/command.ts'
import type { HelpItem, HelpSection } from '../../cli/help/page.ts'
import { type Chapter, ENVIRONMENT, EXIT_CODES } from '../cli/reference/command-line.ts'

/** Returns the text of docs/cli.md. */
export function markdownOf(program: Chapter): string {
  const commands = program.below.flatMap((noun) => [noun, ...allBelow(noun)])
  const frequent = frequentOptions(commands)
  return [
    '# The command line',
    '',
    '`npm run generate` writes this page from the commands. The same text is in `tollgate help <command>` and `man tollgate`.',
    '[cli-api.md](cli-api.md) lists the commands that make each call of the API.',
    '',
    contents(program),
    '',
    '## Which gateway',
    '',
    'Commands use a local database or a server. The first of these that is set decides: `--database`, `--server` or `--profile`;',
    '`TOLLGATE_SERVER`; `TOLLGATE_PROFILE`; `DATABASE_URL`; the profile of the last `tollgate login`; the database of the settings. The output',
    'is the same. The help of a command states if the command needs the database file.',
    '',
    '## Output',
    '',
    'Commands write data to stdout, everything else to stderr. `--json` prints one document; new versions may add fields, but do not change',
    'any. In a pipe, tables have no color and no truncated values. Lists print `{"items": […], "total": …, "page": …, "page_size": …}`.',
    'Without a terminal, there are no prompts: destructive commands need `--yes`.',
    '',
    'JSON has names beside numbers (`status_name`, `role_name`, `type_name` of log rows) and ISO 8601 times beside Unix times',
    '(`created_time_iso`; null means never, or not yet). `--fields id,name` prints only these fields. `--jq` runs a',
    "[jq](https://jqlang.org/manual/) program and prints texts without quotes. `--template '{{id}} {{name}}'` prints a line for each record.",
    'Some lists are arrays, because existing scripts expect this; with `--envelope`, they have the form above. Exports and `tail` print JSON',
    'lines, and ignore these options.',
    '',
    'An error is one line on stderr; after a missing argument, the usage follows. With `--json`, an error is a document:',
    '`{"error": {"code": "TOKEN_NOT_FOUND", "message": "…", "id": 99}}`. In scripts, compare the code: the language of the message can change.',
    '',
    '## Exit codes',
    '',
    table(['code', 'meaning'], EXIT_CODES),
    '',
    '## Environment',
    '',
    table(
      ['name', 'meaning'],
      ENVIRONMENT.map(([name, meaning]) => [`\`${name.replaceAll(', ', '`, `')}\``, meaning]),
    ),
    '',
    '## Options of every command',
    '',
    ...program.page.sections.filter(({ title }) => title === 'Global options:').map(({ items }) => itemList(items)),
    '',
    '## Options of many commands',
    '',
    'The commands below name these options without their meaning:',
    '',
    itemList([...frequent.values()]),
    '',
    ...commands.flatMap((chapter) => chapterLines(chapter, frequent)),
  ].join('\n')
}

/** Commands that must share an option, with the same text, to explain it once. */
const FREQUENT = 15

/** Options that many commands have with the same meaning, by `optionKey`. */
function frequentOptions(commands: readonly Chapter[]): Map<string, HelpItem> {
  const options = commands
    .filter(({ below }) => below.length === 0)
    .flatMap(({ page }) => page.sections.flatMap(({ items }) => items))
    .filter(({ term }) => term.trim().startsWith('-'))
  const counts = new Map<string, number>()
  for (const option of options) counts.set(optionKey(option), (counts.get(optionKey(option)) ?? 0) + 1)
  return new Map(
    options.map((option) => [optionKey(option), option] as const).filter(([key]) => (counts.get(key) ?? 0) >= FREQUENT),
  )
}

const optionKey = ({ term, text }: HelpItem): string => `${term.trim()} ${text}`

function allBelow({ below }: Chapter): Chapter[] {
  return below.flatMap((chapter) => [chapter, ...allBelow(chapter)])
}

function contents({ page, below }: Chapter): string {
  const groups = [...new Set(below.map(({ group }) => group))]
  return groups
    .map((group) => {
      const nouns = below.filter((each) => each.group === group).map((each) => linkTo(each, page.words))
      return `- ${group.replace(/:$/, '')}: ${nouns.join(', ')}`
    })
    .join('\n')
}

function linkTo({ page: { words } }: Chapter, program: string): string {
  return `[${words.slice(program.length + 1)}](#${words.replaceAll(' ', '-')})`
}

function chapterLines({ page, below }: Chapter, frequent: ReadonlyMap<string, HelpItem>): string[] {
  const heading = '#'.repeat(page.words.split(' ').length)
  const head = [
    `${heading} ${page.words}`,
    '',
    `${escaped(page.description)}${/[.!?]$/.test(page.description) ? '' : '.'}`,
    '',
  ]
  const blocks = page.blocks.filter(({ title }) => title !== 'Examples:').flatMap(blockLines)
  if (below.length) return [...head, below.map((verb) => linkTo(verb, page.words)).join(', '), '', ...blocks]
  const examples = page.blocks.filter(({ title }) => title === 'Examples:').flatMap(({ lines = [] }) => lines)
  const needsUsage = page.usage.replace(' [options]', '') !== page.words || examples.length === 0
  return [
    ...head,
    ...fence([...(needsUsage ? [page.usage] : []), ...(needsUsage && examples.length ? [''] : []), ...examples]),
    ...sectionLines(page.sections, frequent),
    ...blocks,
  ]
}

function sectionLines(sections: readonly HelpSection[], frequent: ReadonlyMap<string, HelpItem>): string[] {
  const common = sections.flatMap(({ items }) => items).filter((item) => frequent.has(optionKey(item)))
  const lines = sections.flatMap(({ title, items }) => {
    const specific = items.filter((item) => !common.includes(item))
    if (specific.length === 0) return []
    const isPlain = title === 'Options:' || title === 'Arguments:'
    return [...(isPlain ? [] : ['', `_${title.replace(/:$/, '')}_`, '']), itemList(specific)]
  })
  if (common.length) lines.push(`- also ${common.map(({ term }) => `\`${term.trim()}\``).join(', ')}`)
  return lines.length ? [...lines, ''] : []
}

function itemList(items: readonly HelpItem[]): string {
  return items.map(({ term, text }) => `- \`${term.trim()}\`: ${escaped(text)}`).join('\n')
}

function blockLines({ title, lines, prose }: HelpBlock): string[] {
  return [
    ...(title && title !== 'Examples:' ? [title, ''] : []),
    ...(prose ? [escaped(prose), ''] : []),
    ...(lines ? fence(lines) : []),
  ]
}

function fence(lines: readonly string[]): string[] {
  return ['```sh', ...lines, '```', '']
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Escapes characters that Markdown would read as tags, columns or emphasis. */
function escaped(text: string): string {
  return text.replace(/[<|*_]/g, '\\$&')
}
