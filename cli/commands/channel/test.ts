import type { Cli } from '../../cli.ts'
import { TEST_COLUMNS } from '../../columns/channel-checks.ts'
import { EXIT, usageError } from '../../errors.ts'
import { positiveInts } from '../../input/arguments.ts'
import { plainVerb } from '../../run/verbs.ts'
import { checkEach, checkRoundFlags, detachedRound, type RoundFlags, withRoundFlags } from './check-each.ts'
import { allChannels, findChannels } from './find.ts'

interface Options extends RoundFlags {
  model?: string
  key?: string
}

export const channelTest = plainVerb({
  name: 'test',
  description: 'Test channels with a small request; exit code 1 on failure',
  examples: ['tollgate channel test 1 --model gpt-4o-mini'],
  syntax: (command) =>
    withRoundFlags(
      command
        .argument('[id...]', 'channel IDs', positiveInts)
        .option('--all', 'all channels, including disabled ones')
        .option('--model <name>', "model to test (default: each channel's test model)")
        .option('--key <digest>', 'which of several keys to use (default: the first enabled one)'),
    ),
  async run(cli, ids: number[] = [], options: Options) {
    const { all, detach, model, key } = options
    checkRoundFlags(cli, ids, options)
    if (key !== undefined && ids.length !== 1) throw usageError(cli.say`--key needs exactly one channel`)
    if (detach) return detached(cli, options)
    const [id] = ids
    if (ids.length === 1 && id !== undefined) return testOne(cli, id, { model, key })
    const { toolkit, actor } = await cli.open()
    const channels = all ? await allChannels(toolkit, actor) : await findChannels(cli, toolkit, actor, { ids })
    await checkEach(
      cli,
      channels,
      async ({ id, name }, signal) => {
        const { success, ...result } = await toolkit.channelChecks.test(actor, id, { model, signal })
        return { id, name, result: success ? 'ok' : 'failed', ...result }
      },
      {
        title: cli.text('Testing'),
        columns: TEST_COLUMNS,
        empty: cli.say`No channels.`,
        concurrency: options.concurrency,
        refused: ({ id, name }, how) => ({ id, name, ...how, model: model ?? '', time: 0 }),
        unsupported: all && 'CHANNEL_TEST_UNSUPPORTED',
      },
    )
  },
})

async function detached(cli: Cli, { model }: Options): Promise<void> {
  if (model !== undefined)
    throw usageError(cli.say`the server tests each channel with its own test model: omit --model`)
  await detachedRound(cli, '/api/channel/test')
  cli.report(cli.say`The server is testing all channels. See tollgate channel list, and its email to root.`, {
    started: true,
  })
}

async function testOne(
  cli: Cli,
  id: number,
  options: { model: string | undefined; key: string | undefined },
): Promise<void> {
  const { toolkit, actor } = await cli.open()
  const result = await toolkit.channelChecks.test(actor, id, options)
  if (!result.success) cli.exitCode = EXIT.failed
  if (cli.json) return cli.writeJson(result)
  const [seconds, { sanitizeName }] = [result.time.toFixed(2), await import('../../output/sanitize.ts')]
  const line = result.success
    ? cli.say`ok      ${result.model} answered in ${seconds} s`
    : cli.say`failed  ${result.model} after ${seconds} s: ${result.message}`
  cli.write(sanitizeName(line))
}
