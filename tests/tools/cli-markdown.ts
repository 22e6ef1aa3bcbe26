import type { HelpBlock } from '../../cli/command.ts'
import type { HelpItem, HelpSection } from '../../cli/help/page.ts'
import { type Chapter, ENVIRONMENT, EXIT_CODES } from '../cli/reference/command-line.ts'

/** Returns the text of docs/cli.md. */
export function markdownOf(program: Chapter): string {
  const frequent = frequentOptions(program)
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
    'Some lists are arrays; with `--envelope`, they have the form above. Exports and `tail` print JSON lines, and ignore these options.',
    '',
    'An error is one line on stderr; after a missing argument, the usage follows. With `--json`, an error is a document:',
    '`{"error": {"code": "TOKEN_NOT_FOUND", "message": "…", "id": 99}}`. In scripts, compare the code: the language of the message can change.',
    '',
    '## Exit codes',
    '',
    ...EXIT_CODES.map(([code, meaning]) => `- ${code}: ${meaning}`),
    '',
    '## Environment',
    '',
    ...ENVIRONMENT.map(([name, meaning]) => `- \`${name.replaceAll(', ', '`, `')}\`: ${meaning}`),
    '',
    '## Options of every command',
    '',
    ...program.page.sections.filter(({ title }) => title === 'Global options:').map(({ items }) => itemList(items)),
    '',
    '## Options of many commands',
    '',
    'A command names these options after _also_, without their meaning. Options that several commands of a noun such as `channel` share are',
    'explained once, before these commands. Options that end in `-stdin` keep secrets out of the process list.',
    '',
    itemList([...frequent.values()]),
    '',
    ...program.below.flatMap((noun) => nounLines(noun, frequent)),
  ].join('\n')
}

/** Options that several commands have with the same meaning, by `optionKey`. */
type Shared = ReadonlyMap<string, HelpItem>

/** Nouns whose commands must share an option for the option to be explained once for the page. */
const FREQUENT = 3
/** Options that the commands of a noun must share for the options to be explained once for the noun. */
const LISTED = 3

/** Returns the options that commands of many nouns share. */
function frequentOptions(program: Chapter): Shared {
  return sharedOptions(program.below.map(optionsOf), FREQUENT)
}

/** Returns the options that commands of a noun share, if they are enough for a list. */
function nounOptions(noun: Chapter, frequent: Shared): Shared {
  const verbs = allBelow(noun).filter(({ below }) => below.length === 0)
  const options = verbs.map((verb) => optionsOf(verb).filter((option) => !isShared(option, frequent)))
  const shared = sharedOptions(options, 2)
  return shared.size >= LISTED ? shared : new Map()
}

/**
 * Returns the options that at least `min` of the groups have. Of several options for one name, returns only the most
 * frequent, so that the name has one meaning. Of its texts, returns the text without a default, else the most frequent.
 */
function sharedOptions(groups: readonly (readonly HelpItem[])[], min: number): Shared {
  const uses = countsOf(groups.flatMap((options) => [...new Set(options.map(optionKey))]))
  const texts = countsOf(groups.flat().map(idOf))
  const usesOf = (option: HelpItem) => uses.get(optionKey(option)) ?? 0
  const preference = (option: HelpItem) => (NOTE.test(option.text) ? (texts.get(idOf(option)) ?? 0) : Infinity)
  const byName = new Map<string, HelpItem>()
  for (const option of groups.flat().filter((each) => usesOf(each) >= min)) {
    const other = byName.get(nameOf(option))
    const difference = other ? usesOf(option) - usesOf(other) : 1
    if (difference > 0 || (difference === 0 && other && preference(option) > preference(other)))
      byName.set(nameOf(option), option)
  }
  return new Map([...byName.values()].map((option) => [optionKey(option), option]))
}

function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function optionsOf(chapter: Chapter): HelpItem[] {
  const chapters = chapter.below.length ? allBelow(chapter).filter(({ below }) => below.length === 0) : [chapter]
  return chapters
    .flatMap(({ page }) => page.sections.flatMap(({ items }) => items))
    .filter(({ term }) => term.trim().startsWith('-'))
}

/** Matches the note at the end of a text, such as `(default: 1)`. */
const NOTE = / (\((?:default: .*|required)\))$/

/** Returns the flag without its value, such as `--limit`. */
const nameOf = ({ term }: HelpItem): string => term.trim().replace(/ [<[].*/, '')

const idOf = ({ term, text }: HelpItem): string => `${term.trim()} ${text}`

const optionKey = ({ term, text }: HelpItem): string => idOf({ term, text: text.replace(NOTE, '') })

/** Whether an option is explained in `shared`. An option without a default must not refer to a text with one. */
function isShared(option: HelpItem, shared: Shared): boolean {
  const explained = shared.get(optionKey(option))
  return explained !== undefined && (explained.text === option.text || NOTE.test(option.text))
}

/** Returns the name of an option, and its default if that differs from the explained default. */
function mention(option: HelpItem, shared: Shared): string {
  const differs = shared.get(optionKey(option))?.text !== option.text
  return [`\`${nameOf(option)}\``, ...(differs ? [escaped(NOTE.exec(option.text)?.[1] ?? '')] : [])].join(' ')
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

/** Returns the section of a noun, with the sections of its commands. */
function nounLines(noun: Chapter, frequent: Shared): string[] {
  const shared = nounOptions(noun, frequent)
  const names = new Set([...shared.values()].map(nameOf))
  const explained = new Map([...[...frequent].filter(([, option]) => !names.has(nameOf(option))), ...shared])
  const options = shared.size > 0 ? ['Options of several commands:', '', itemList([...shared.values()]), ''] : []
  return [
    ...chapterLines(noun, explained),
    ...options,
    ...allBelow(noun).flatMap((chapter) => chapterLines(chapter, explained)),
  ]
}

function chapterLines({ page, below }: Chapter, shared: Shared): string[] {
  const heading = '#'.repeat(page.words.split(' ').length)
  const head = [
    `${heading} ${page.words}`,
    '',
    `${escaped(page.description)}${/[.!?]$/.test(page.description) ? '' : '.'}`,
    '',
  ]
  const blocks = page.blocks.filter(({ title }) => title !== 'Examples:').flatMap(blockLines)
  if (below.length) return [...head, below.map((verb) => linkTo(verb, page.words)).join(', '), '', ...blocks]
  return [...head, ...exampleLines(page), ...sectionLines(page.sections, shared), ...blocks]
}

/** Returns the examples of a command; without examples, its usage. The heading alone shows the use of a command without arguments. */
function exampleLines({ words, usage, examples }: Chapter['page']): string[] {
  const lines = examples.length ? examples : [usage.replace(' [options]', '')]
  return lines.every((line) => line === words) ? [] : fence(lines)
}

function sectionLines(sections: readonly HelpSection[], shared: Shared): string[] {
  const common = sections.flatMap(({ items }) => items).filter((item) => isShared(item, shared))
  const lines = sections.flatMap(({ title, items }) => {
    const specific = items.filter((item) => !common.includes(item))
    if (specific.length === 0) return []
    const isPlain = title === 'Options:' || title === 'Arguments:'
    return [...(isPlain ? [] : ['', `_${title.replace(/:$/, '')}_`, '']), itemList(specific)]
  })
  if (common.length) lines.push(`- also ${common.map((option) => mention(option, shared)).join(', ')}`)
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

/** Escapes characters that Markdown would read as tags, columns or emphasis. */
function escaped(text: string): string {
  return text.replace(/[<|*_]/g, '\\$&')
}
