import type { NewChannel } from '../../../core/channels/channel.ts'
import { kindName } from '../../../core/channels/types/kind-texts.ts'
import { CHANNEL_TYPES, type ChannelType, parseChannelType } from '../../../core/channels/types/types.ts'
import { GatewayError } from '../../../core/errors.ts'
import { textIn } from '../../../core/messages/texts.ts'
import type { NewToken } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { generatePassword } from '../../root-user.ts'
import type { TextRef } from '../../texts.ts'
import type { InitOptions } from '../init.ts'
import type { Parts } from './parts.ts'

/** The objects to create. */
export interface Answers {
  /** Password of the root user; undefined if the root user already exists. */
  password?: string
  generated: boolean
  channel?: NewChannel
  token?: NewToken
}

const MISSING = {
  root: '--root-password <text> (or ROOT_PASSWORD)',
  channel: '--channel-type <type> and --channel-key <key>, or --skip-channel',
  token: '--token-name <text>, or --skip-token',
}

/**
 * Collects answers from flags, and prompts for missing answers. If prompts are not possible, throws a usage error that
 * names the missing flags.
 */
export async function collectAnswers(
  cli: Cli,
  options: InitOptions,
  { parts, rootPassword }: { parts: Parts; rootPassword: string | undefined },
): Promise<Answers> {
  if (!cli.interactive) requireFlags(cli, options, { parts, rootPassword })
  const root = parts.root ? await passwordAnswer(cli, options.rootPassword ?? rootPassword) : undefined
  const channel = parts.channel ? await channelAnswer(cli, options) : undefined
  const token = parts.token ? await tokenAnswer(cli, options) : undefined
  return {
    generated: root?.generated === true,
    ...(root && { password: root.password }),
    ...(channel && { channel }),
    ...(token && { token }),
  }
}

function requireFlags(
  cli: Cli,
  options: InitOptions,
  { parts, rootPassword }: { parts: Parts; rootPassword: string | undefined },
): void {
  const missing = [
    parts.root && (options.rootPassword ?? rootPassword) === undefined && MISSING.root,
    parts.channel && (options.channelType === undefined || options.channelKey === undefined) && MISSING.channel,
    parts.token && options.tokenName === undefined && MISSING.token,
  ].filter((text) => text !== false)
  if (missing.length) throw usageError(cli.t('run.noTerminalForPrompts', { missing: missing.join('; ') }))
}

async function passwordAnswer(cli: Cli, given: string | undefined): Promise<{ password: string; generated: boolean }> {
  if (given !== undefined)
    return { password: validText(cli, '--root-password', given, passwordProblem), generated: false }
  const prompts = await cli.prompts()
  const password = await prompts.password({
    message: cli.t('run.passwordOfTheRootUserLeave'),
    mask: true,
    validate: (text) => text === '' || verdict(cli, passwordProblem(text)),
  })
  if (password === '') return { password: generatePassword(), generated: true }
  await prompts.password({
    message: cli.t('user.repeatThePassword'),
    mask: true,
    validate: (text) => text === password || cli.t('run.thePasswordsDiffer'),
  })
  return { password, generated: false }
}

async function channelAnswer(cli: Cli, options: InitOptions): Promise<NewChannel | undefined> {
  const { channelType, channelKey, channelName, channelBaseUrl, channelModels } = options
  const hasChannelFlags = [channelType, channelKey, channelName, channelBaseUrl, channelModels].some(
    (text) => text !== undefined,
  )
  if (!hasChannelFlags && !(await isConfirmed(cli, cli.t('run.addAFirstChannel')))) return undefined
  const type = channelType === undefined ? await askType(cli) : typeOf(channelType)
  const key = channelKey ?? (await askKey(cli, type))
  // Prompts for values with a default only if the type or the key is missing, too.
  const asksForDefaults = cli.interactive && (channelType === undefined || channelKey === undefined)
  const ask = async (given: string | undefined, defaultValue: string, message: string, problem: Problem) => {
    if (given !== undefined || !asksForDefaults) return given ?? defaultValue
    const prompts = await cli.prompts()
    return prompts.input({
      message,
      ...(defaultValue && { default: defaultValue }),
      validate: (text) => verdict(cli, problem(text)),
    })
  }
  const url = await ask(channelBaseUrl, type.baseUrl, cli.t('run.itsBaseUrl'), urlProblem(type))
  const models = type.models.length
    ? cli.t('run.modelsToServeSeparated', { count: type.models.length })
    : cli.t('run.modelsToServeSeparatedByCommas')
  const served = await ask(channelModels, '', models, modelsProblem(type))
  return {
    name: await ask(channelName, type.slug, cli.t('run.channelName'), () => undefined),
    type: type.type,
    key,
    // The provider's default address may change, so only a different address is stored.
    base_url: validText(cli, '--channel-base-url', url, urlProblem(type)) === type.baseUrl ? '' : url,
    models: validText(cli, '--channel-models', served, modelsProblem(type)) || type.models.join(','),
  }
}

function typeOf(text: string): ChannelType {
  const type = parseChannelType(text)
  if (!type) throw new GatewayError('CHANNEL_TYPE_UNKNOWN', { value: text })
  return type
}

async function askType(cli: Cli): Promise<ChannelType> {
  const prompts = await cli.prompts()
  const types: readonly ChannelType[] = CHANNEL_TYPES
  const choices = types
    .filter(({ hidden }) => !hidden)
    .map((type) => ({ name: kindName(type, cli.language), value: type }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  return prompts.select({ message: cli.t('run.provider'), choices, pageSize: 12 })
}

async function askKey(cli: Cli, { keyFormat }: ChannelType): Promise<string> {
  const prompts = await cli.prompts()
  return prompts.password({
    message: cli.t('run.itsKeyInFormat', { keyFormat: textIn(cli.language, keyFormat) }),
    mask: true,
    validate: (text) => text.trim() !== '' || cli.t('ui.required'),
  })
}

async function tokenAnswer(cli: Cli, { tokenName }: InitOptions): Promise<NewToken | undefined> {
  if (tokenName !== undefined)
    return { name: validText(cli, '--token-name', tokenName, nameProblem), unlimited_quota: true }
  if (!(await isConfirmed(cli, cli.t('run.createAFirstApiKeyNow')))) return undefined
  const prompts = await cli.prompts()
  const name = await prompts.input({
    message: cli.t('run.keyName'),
    default: 'default',
    validate: (text) => verdict(cli, nameProblem(text)),
  })
  return { name, unlimited_quota: true }
}

async function isConfirmed(cli: Cli, message: string): Promise<boolean> {
  const prompts = await cli.prompts()
  return prompts.confirm({ message, default: true })
}

// The following checks run before anything is written. Core would find the same problems only after some parts exist.

type Problem = (text: string) => TextRef | undefined

function validText(cli: Cli, flag: string, text: string, problem: Problem): string {
  const reason = problem(text)
  if (reason) throw usageError(`${flag}: ${cli.textOf(reason)}`)
  return text
}

/** Converts a problem to the result of a prompt's validation. */
function verdict(cli: Cli, problem: TextRef | undefined): string | true {
  return problem === undefined ? true : cli.textOf(problem)
}

const PASSWORD_LENGTH = { min: 8, max: 128 }
const TOKEN_NAME_MAX = 30

function passwordProblem(text: string): TextRef | undefined {
  const { length } = [...text.trim()]
  const { min, max } = PASSWORD_LENGTH
  return length < min || length > max ? { id: 'run.passwordLength', values: PASSWORD_LENGTH } : undefined
}

function nameProblem(text: string): TextRef | undefined {
  const { length } = [...text.trim()]
  return length < 1 || length > TOKEN_NAME_MAX ? { id: 'run.nameLength', values: { max: TOKEN_NAME_MAX } } : undefined
}

function urlProblem({ baseUrlRequired }: ChannelType): Problem {
  return (text) => {
    if (text.trim() === '') return baseUrlRequired ? { id: 'run.addressMissing' } : undefined
    return /^https?:\/\/[^/\s]/.test(text.trim()) ? undefined : { id: 'run.addressMalformed' }
  }
}

function modelsProblem({ models }: ChannelType): Problem {
  return (text) => (text.replace(/[\s,]/g, '') === '' && models.length === 0 ? { id: 'run.modelMissing' } : undefined)
}
