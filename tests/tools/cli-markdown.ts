import type { HelpBlock } from '../../cli/command.ts'
import type { HelpItem, HelpSection } from '../../cli/help/page.ts'
import { type Chapter, ENVIRONMENT, EXIT_CODES } from '../cli/reference/command-line.ts'

/** docs/cli.md */
export function markdownOf(program: Chapter): string {
  const commands = program.below.flatMap((noun) => [noun, ...allBelow(noun)])
  return [
    '# The command line',
    '',
    'Written by `npm run generate` from the commands themselves; `npm test` fails when it is out of date. The same text is in',
    '`tollgate help <command>` and `man tollgate`. Which command makes which call of the API: [cli-api.md](cli-api.md).',
    '',
    contents(program),
    '',
    '## Which gateway',
    '',
    'Every command works on the database of this machine or on a server. In this order: `--database`, `--server`, `--profile`;',
    '`TOLLGATE_SERVER`, `TOLLGATE_PROFILE`; `DATABASE_URL`; the profile of the last `tollgate login`; the database that the settings name.',
    'The same command prints the same on both. The help of a command states if the command needs the database file.',
    '',
    '## Output',
    '',
    'Data goes to stdout, everything else to stderr. `--json` is one document, whose fields may grow but never change; in a pipe, tables',
    'have no colour and whole values. Lists answer `{"items": […], "total": …, "page": …, "page_size": …}`. Without a terminal',
    'nothing is asked: what destroys wants `--yes`.',
    '',
    'JSON has names beside numbers (`status_name`, `role_name`, `type_name` of log rows) and ISO 8601 beside epochs (`created_time_iso`; null',
    'is never, or not yet). `--fields id,name` keeps these fields, `--jq` runs a [jq](https://jqlang.org/manual/) program and prints texts',
    "without quotes, `--template '{{id}} {{name}}'` prints a line for each record. Some lists are bare arrays, since scripts read them so;",
    '`--envelope` gives them the envelope of pages. Exports and `tail` print JSON lines as they come, without these views.',
    '',
    'An error is one line on stderr (for a missing argument followed by the usage), with `--json` a document: `{"error": {"code": "TOKEN_NOT_FOUND", "message": "…", "id": 99}}`. Compare',
    'the code; the message is for people, and in their language.',
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
    ...program.page.sections.filter(({ title }) => title === 'Global options:').map(({ items }) => itemTable(items)),
    '',
    ...commands.flatMap(chapterLines),
  ].join('\n')
}

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

function chapterLines({ page, below }: Chapter): string[] {
  const depth = page.words.split(' ').length
  return [
    `${'#'.repeat(depth)} ${page.words}`,
    '',
    `${escaped(page.description)}${/[.!?]$/.test(page.description) ? '' : '.'}`,
    '',
    ...(below.length ? [below.map((verb) => linkTo(verb, page.words)).join(', '), ''] : fence([page.usage])),
    ...(below.length ? [] : page.sections.flatMap(sectionLines)),
    ...page.blocks.filter(({ title }) => below.length === 0 || title !== 'Examples:').flatMap(blockLines),
  ]
}

function sectionLines({ title, items }: HelpSection): string[] {
  const plain = title === 'Options:' || title === 'Arguments:'
  return [...(plain ? [] : [`_${title.replace(/:$/, '')}_`, '']), itemTable(items), '']
}

function itemTable(items: readonly HelpItem[]): string {
  return table(
    ['', ''],
    items.map(({ term, text }) => [`\`${term.trim().replaceAll('|', '\\|')}\``, escaped(text)]),
  )
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

/** What Markdown would take for a tag or a column. */
function escaped(text: string): string {
  return text.replace(/[<|*_]/g, '\\$&')
}
