import { type Argument, Command as BaseCommand, InvalidArgumentError, Option } from 'commander'
import { errorMessage } from '../core/error-parts.ts'
import { nearest } from './input/nearest.ts'
import { optionLike } from './input/option-suggestion.ts'
import { ENGLISH, type TextId, type TextRef, type Texts, type TextValues } from './texts.ts'

/** Error of a parser of options or arguments. The displayed message also names the option or argument and its value. */
export class InvalidValue extends InvalidArgumentError {
  constructor(readonly text: TextRef) {
    super(ENGLISH.textOf(text))
  }
}

/** Returns the translated text of an `InvalidValue`, or the message of another error. */
export function reasonText(error: unknown, { textOf }: Pick<Texts, 'textOf'>): string {
  return error instanceof InvalidValue ? textOf(error.text) : errorMessage(error)
}

/** A part of a help page below the options: a paragraph, or lines under a title, such as examples. */
export interface HelpBlock {
  title?: string
  lines?: readonly string[]
  prose?: string
}

type Parser<T> = (value: string, previous: T) => T
/** A default value, which Commander accepts in place of a parser. */
type DefaultValue = string | boolean | string[] | RegExp

/** Commander's command with texts by id, in the user's language. */
export class Command extends BaseCommand {
  declare readonly commands: readonly Command[]
  declare parent: Command | null
  readonly texts: Texts
  readonly t: Texts['t']
  readonly notes: HelpBlock[] = []
  readonly examples: string[] = []
  /** Names of the columns of a list, for --columns and --sort. */
  columnNames: readonly string[] = []
  /** Whether exit code 2 means that there are changes, as in Terraform. Usage errors then exit with 1. */
  exitsWithChanges = false

  constructor(name: string, texts: Texts) {
    super(name)
    this.texts = texts
    this.t = texts.t
  }

  override description(): string
  override description(id: TextId): this
  override description(id?: TextId): string | this {
    return id === undefined ? super.description() : super.description(this.t(id))
  }

  override helpGroup(): string
  override helpGroup(id: TextId): this
  override helpGroup(id?: TextId): string | this {
    return id === undefined ? super.helpGroup() : super.helpGroup(this.t(id))
  }

  override option<T>(flags: string, id: TextId, parse?: Parser<T> | DefaultValue, defaultValue?: T): this {
    return super.option(flags, this.t(id), parse as Parser<T>, defaultValue)
  }

  override requiredOption<T>(flags: string, id: TextId, parse?: Parser<T> | DefaultValue, defaultValue?: T): this {
    return super.requiredOption(flags, this.t(id), parse as Parser<T>, defaultValue)
  }

  override argument<T>(name: string, id: TextId, parse?: Parser<T> | DefaultValue, defaultValue?: T): this {
    return super.argument(name, this.t(id), parse as Parser<T>, defaultValue)
  }

  /**
   * Adds an option with a fixed set of values. `missing` is the default value, or a help text about what happens
   * without the option.
   */
  choice(flags: string, id: TextId, choices: readonly string[], missing?: string | TextRef): this {
    const option = new Option(flags, this.t(id)).choices(choices)
    return this.addOption(
      typeof missing === 'object'
        ? option.default(undefined, this.t(missing.id, missing.values))
        : option.default(missing),
    )
  }

  /** Adds a paragraph to the help. */
  note(id: TextId, values?: TextValues): this {
    this.notes.push({ prose: this.t(id, values) })
    return this
  }

  /** Adds lines with a title to the help. */
  listing(title: TextId, lines: readonly string[]): this {
    this.notes.push({ title: this.t(title), lines })
    return this
  }

  /** Adds command lines to the end of the help. */
  example(...lines: readonly string[]): this {
    this.examples.push(...lines)
    return this
  }

  /*
   * These methods replace internal methods of Commander, which Commander's types omit.
   */

  missingArgument(name: string): never {
    this.error(this.t('usage.missingArgument', { name }), { code: 'commander.missingArgument' })
  }

  optionMissingArgument({ flags }: Option): never {
    this.error(this.t('usage.optionArgumentMissing', { flags }), { code: 'commander.optionMissingArgument' })
  }

  missingMandatoryOptionValue({ flags }: Option): never {
    this.error(this.t('usage.requiredOption', { flags }), { code: 'commander.missingMandatoryOptionValue' })
  }

  _conflictingOption({ flags }: Option, { flags: other }: Option): never {
    this.error(this.t('usage.conflictingOption', { flags, other }), { code: 'commander.conflictingOption' })
  }

  unknownOption(flag: string): never {
    const suggestion = optionLike(flag, this)
    const message =
      suggestion === undefined
        ? this.t('usage.unknownOption', { flag })
        : this.t('usage.unknownOptionLike', { flag, suggestion })
    this.error(message, { code: 'commander.unknownOption' })
  }

  _excessArguments({ length }: readonly string[]): never {
    const values = { command: this.name(), count: this.registeredArguments.length, given: length }
    this.error(this.t('usage.tooManyArguments', values), { code: 'commander.excessArguments' })
  }

  _callParseArg(target: Option | Argument, value: string, previous: unknown): unknown {
    const { parseArg, argChoices } = target as { parseArg: Parser<unknown>; argChoices?: string[] }
    try {
      return parseArg.call(target, value, previous)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      const reason = reasonOf(error, { value, choices: argChoices })
      const message =
        'flags' in target
          ? this.t('usage.invalidOption', { flags: target.flags, value, reason })
          : this.t('usage.invalidArgument', { name: target.name(), value, reason })
      this.error(message, { code: error.code, exitCode: error.exitCode })
    }
  }
}

/** Returns the reason for a rejected value: a text by id, or the message of a parser. */
function reasonOf(
  error: InvalidArgumentError,
  { value, choices: allowed }: { value: string; choices: readonly string[] | undefined },
): string | TextRef {
  if (error instanceof InvalidValue) return error.text
  // Commander's own parser rejects only values outside the choices.
  if (allowed === undefined) return error.message
  const suggestion = nearest(value, allowed)
  const choices = allowed.join(', ')
  return suggestion === undefined
    ? { id: 'usage.allowedChoices', values: { choices } }
    : { id: 'usage.allowedChoicesLike', values: { choices, suggestion } }
}
