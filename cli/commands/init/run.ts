import { type Actor, GATEWAY } from '../../../core/actor.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import type { Config } from '../../../core/config.ts'
import { requireSqliteDriver } from '../../../core/db/sqlite-driver.ts'
import { GatewayError } from '../../../core/errors.ts'
import { commaList } from '../../../core/input.ts'
import type { Token } from '../../../core/tokens/token.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { curlExample, localUrlOf } from '../../address.ts'
import type { Cli } from '../../cli.ts'
import { displayedToken } from '../../columns/token.ts'
import { databaseState, sqliteFile } from '../../database-state.ts'
import { usageError } from '../../errors.ts'
import { localConfig } from '../../local/require-local.ts'
import { terminalOrigin } from '../../local/terminal.ts'
import { aligned } from '../../output/display-width.ts'
import type { InitOptions } from '../init.ts'
import { type Answers, collectAnswers } from './answers.ts'
import { type ExistingParts, type Parts, wantedParts } from './parts.ts'

/**
 * Collects all answers, then writes them. Throws ALREADY_INITIALISED if a part named by flags already exists, or if no
 * part is left to set up. Throws a usage error if the target is a server.
 */
export async function runInit(cli: Cli, options: InitOptions): Promise<void> {
  const config = await localConfig(cli)
  // Checks the driver before the user answers questions.
  if (sqliteFile(config.databaseUrl) !== undefined) requireSqliteDriver()
  const existing = await findExisting(config)
  const parts = wantedParts(options, existing)
  const completeOptions = options.channelKeyStdin
    ? { ...options, channelKey: await keyFromInput(cli, options) }
    : options
  const answers = await collectAnswers(cli, completeOptions, { parts, rootPassword: config.rootPassword })
  const newObjects = await write(config, answers)
  if (cli.json) return cli.writeJson(newObjects)
  const hasChannel = existing.channel || newObjects.channel !== undefined
  announce(cli, { config, answers, newObjects, parts, hasChannel })
}

async function keyFromInput(cli: Cli, { channelKey }: InitOptions): Promise<string> {
  if (channelKey !== undefined) throw usageError(cli.t('run.passEitherChannelKeyOrChannel'))
  return cli.readInput()
}

async function findExisting(config: Config): Promise<ExistingParts> {
  const state = await databaseState(config)
  if (!state.exists) return { root: undefined, channel: false, token: false }
  const toolkit = await openToolkit(config)
  try {
    const root = await toolkit.accounts.findRoot()
    const channels = await toolkit.channels.list(root ?? GATEWAY)
    const tokens = root && (await toolkit.tokens.list(root))
    return { root: root?.username, channel: channels.total > 0, token: tokens !== undefined && tokens.total > 0 }
  } finally {
    await toolkit.close()
  }
}

/** Model that the example request uses if the channel serves it, because it is small and cheap. */
const COMMON_MODEL = 'gpt-4o-mini'

interface NewObjects {
  username: string
  password?: string
  channel?: Channel
  token?: Token
}

/** Creates the objects. The channel comes first: only the channel can be rejected, and then nothing was created. */
async function write(config: Config, { password, generated, channel, token }: Answers): Promise<NewObjects> {
  const toolkit = await openToolkit(config)
  try {
    const origin = terminalOrigin()
    const newChannel = channel && (await toolkit.channels.create({ ...GATEWAY, origin }, channel))
    const root =
      password === undefined ? await toolkit.accounts.findRoot() : await toolkit.accounts.createRoot(password)
    // Another process has created root meanwhile.
    if (!root) throw new GatewayError('ALREADY_INITIALISED', { username: 'root' })
    const actor: Actor = { ...root, origin }
    const newToken = token && (await toolkit.tokens.create(actor, token))
    return {
      username: root.username,
      ...(generated && password !== undefined && { password }),
      ...(newChannel && { channel: newChannel }),
      ...(newToken && { token: displayedToken(newToken, { wholeKey: true }) }),
    }
  } finally {
    await toolkit.close()
  }
}

function announce(
  cli: Cli,
  {
    config,
    answers,
    newObjects,
    parts,
    hasChannel,
  }: { config: Config; answers: Answers; newObjects: NewObjects; parts: Parts; hasChannel: boolean },
): void {
  const { username, password, channel, token } = newObjects
  const url = localUrlOf(config)
  const models = commaList(answers.channel?.models ?? '')
  const model = models.find((name) => name === COMMON_MODEL) ?? models[0] ?? COMMON_MODEL
  const facts = [
    parts.root && [
      cli.t('run.signIn'),
      password
        ? cli.t('run.withThePasswordShownOnlyOnce', { username, password })
        : cli.t('run.withYourPassword', { username }),
    ],
    channel && [cli.t('ui.channel'), `${channel.id}, ${channel.name}`],
    token && [cli.t('token.apiKey'), token.key],
  ].filter((fact) => fact !== false && fact !== undefined)
  cli.write(`
${cli.t('run.tollgateIsSetUp')}

${aligned(facts)}

${cli.t('run.runItTitle')}

tollgate serve
`)
  // Without a channel the request would be rejected.
  if (token && hasChannel)
    cli.write(`${cli.t('run.thenFromAnotherTerminalTitle')}\n\n${curlExample({ url, key: token.key, model })}\n`)
  if (!hasChannel) cli.note(cli.t('run.noChannelsYet'))
}
