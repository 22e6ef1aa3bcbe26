import type { Cli } from '../../cli.ts'
import { TEST_COLUMNS } from '../../columns/channel-checks.ts'
import { EXIT, usageError } from '../../errors.ts'
import { positiveInts } from '../../input/arguments.ts'
import { sanitizeName } from '../../output/sanitize.ts'
import { plainVerb } from '../../run/verbs.ts'
import { checkEach, checkRoundFlags, detachedRound, type RoundFlags, withRoundFlags } from './check-each.ts'
import { allChannels, findChannels } from './find.ts'

interface Options extends RoundFlags {
  model?: string
  key?: string
}

export const channelTest = plainVerb({
  name: 'test',
  description: 'channel.testChannelsWithASmallRequest',
  examples: ['tollgate channel test 1 --model gpt-4o-mini'],
  syntax: (command) =>
    withRoundFlags(
      command
        .argument('[id...]', 'channel.channelIDs', positiveInts)
        .option('--all', 'channel.allChannels')
        .option('--model <name>', 'channel.modelToTestDefault')
        .option('--key <digest>', 'channel.whichOfSeveralKeysToUse'),
    ),
  async run(cli, ids: number[] = [], options: Options) {
    const { all, detach, model, key } = options
    checkRoundFlags(cli, ids, options)
    if (key !== undefined && ids.length !== 1) throw usageError(cli.t('channel.keyNeedsExactlyOneChannel'))
    if (detach) return startDetached(cli, options)
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
        title: cli.t('channel.testing'),
        columns: TEST_COLUMNS,
        empty: cli.t('channel.noChannelsListed'),
        concurrency: options.concurrency,
        failedRow: ({ id, name }, outcome) => ({ id, name, ...outcome, model: model ?? '', time: 0 }),
        unsupported: all && 'CHANNEL_TEST_UNSUPPORTED',
      },
    )
  },
})

async function startDetached(cli: Cli, { model }: Options): Promise<void> {
  if (model !== undefined) throw usageError(cli.t('channel.theServerTestsEachChannel'))
  await detachedRound(cli, 'GET /api/channel/test')
  cli.report(cli.t('channel.theServerIsTestingAllChannels'), { started: true })
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
  const seconds = result.time.toFixed(2)
  const line = result.success
    ? cli.t('channel.okAnsweredInS', { model: result.model, seconds })
    : cli.t('channel.failedAfterS', { model: result.model, seconds, message: result.message })
  cli.write(sanitizeName(line))
}
