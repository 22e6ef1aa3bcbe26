import { LOG_TYPE } from '../../core/logs/log.ts'
import { reasonText } from '../command.ts'
import { pastTime, positiveInt } from '../input/arguments.ts'
import { labelsOf } from '../input/enum-labels.ts'
import type { LogFilterOptions } from '../input/log-filter.ts'
import { nearest } from '../input/nearest.ts'
import type { UiState } from './ui-context.ts'

/*
 * Commands of the `:` line: open a screen with a search, or log rows with filters.
 */

/** Parsers of filter values; they throw for invalid values. */
const FILTERS: Readonly<Record<string, (text: string) => string | number>> = {
  type: (text) => {
    if (!labelsOf(LOG_TYPE).includes(text)) throw new Error(`${text}: ${labelsOf(LOG_TYPE).join(' ')}`)
    return text
  },
  user: String,
  model: String,
  token: String,
  channel: positiveInt,
  group: String,
  request: String,
  since: pastTime,
  until: pastTime,
}
const LOGS = 'logs'
const QUIT = 'quit'
const HELP = 'help'

type CommandContext = Pick<UiState, 'screens' | 'openScreen' | 'showHelp' | 'exit' | 't' | 'textOf'>

const namesOf = ({ screens }: Pick<UiState, 'screens'>) => [...screens.map(({ name }) => name), 'errors', HELP, QUIT]

/** Returns the possible lines that start with the typed line. */
export function completions(line: string, ui: Pick<UiState, 'screens'>): string[] {
  const [name = '', ...words] = line.trimStart().split(/ +/)
  if (words.length === 0) return namesOf(ui).filter((each) => each.startsWith(name))
  if (name !== LOGS && name !== 'errors') return []
  const word = words.at(-1) ?? ''
  const before = line.slice(0, line.length - word.length)
  const choices = word.startsWith('type=')
    ? labelsOf(LOG_TYPE).map((type) => `type=${type}`)
    : Object.keys(FILTERS).map((key) => `${key}=`)
  return choices.filter((each) => each.startsWith(word) && each !== word).map((each) => before + each)
}

/** Runs a command. Returns an error message, or undefined on success. */
export function runCommand(line: string, ui: CommandContext): string | undefined {
  const { t, openScreen } = ui
  const [typed = '', ...words] = line.trim().split(/ +/)
  if (typed === '') return undefined
  const names = namesOf(ui)
  const matchingNames = names.filter((each) => each.startsWith(typed))
  const name = names.includes(typed) ? typed : matchingNames.length === 1 ? matchingNames[0] : undefined
  if (name === undefined) {
    const suggestion = matchingNames.length > 1 ? matchingNames.join(', ') : nearest(typed, names)
    return suggestion ? t('ui.unknownCommand', { typed, suggestion }) : t('ui.unknownCommandPress', { typed })
  }
  if (name === QUIT) ui.exit()
  else if (name === HELP) ui.showHelp(true)
  else if (name === LOGS || name === 'errors') {
    try {
      const filter = filterOf(words, ui)
      openScreen(LOGS, { filter: name === 'errors' ? { ...filter, type: 'error' } : filter })
    } catch (error) {
      return reasonText(error, ui)
    }
  } else openScreen(name, words.length > 0 ? { keyword: words.join(' ') } : {})
  return undefined
}

/** Parses `user=ann since=1h` as filters. A word without `=` is a model. Throws for invalid filters. */
function filterOf(words: readonly string[], { t }: Pick<UiState, 't'>): LogFilterOptions {
  const parts = words.map((word) => {
    const [, key = 'model', value = word] = /^(\w+)=(.*)$/.exec(word) ?? []
    const parseValue = Object.hasOwn(FILTERS, key) ? FILTERS[key] : undefined
    if (!parseValue) throw new Error(t('ui.unknownFilter', { key, filters: Object.keys(FILTERS).join(', ') }))
    return [key, parseValue(value)] as const
  })
  return Object.fromEntries(parts) as LogFilterOptions
}
