import { Command } from 'commander'
import { futureTime, quotaArgument } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

/** One dollar at the default QuotaPerUnit. */
const QUOTA_DEFAULT = 500_000

interface Options {
  quota?: number
  unlimited?: true
  expires?: number
  models?: string
  allowIps?: string
  group?: string
  user?: string
}

export function tokenCreate(cli: Cli): Command {
  return new Command('create')
    .description('Create an API key and print it')
    .argument('<name>', 'what you will know it by')
    .option('--quota <n>', `how much it may spend (default: ${QUOTA_DEFAULT}, which is $1.00)`, quotaArgument)
    .option('--unlimited', 'let it spend all that its owner has')
    .option(
      '--expires <when>',
      'a duration such as 30d or 12h, a date such as 2030-01-31, or never (default)',
      futureTime,
    )
    .option('--models <list>', 'the only models it may use, separated by commas')
    .option('--allow-ips <list>', 'the only addresses it may be used from, separated by commas')
    .option('--group <name>', "group it is charged by (default: its owner's)")
    .option('--user <name|id>', 'for another user than root')
    .addHelpText('after', '\nExample:\n  tollgate token create my-app --quota 5000000 --expires 30d')
    .action(async (name: string, options: Options) => {
      const { quota, unlimited = false, expires, models, allowIps, group, user } = options
      if (unlimited && quota !== undefined) throw usageError('give either --quota or --unlimited, not both')
      const [{ toolkit, actor }, { userIdOf }, { shownToken }] = await Promise.all([
        cli.open(),
        import('../../users.ts'),
        import('../../columns/token.ts'),
      ])
      const owner = user === undefined ? actor.id : await userIdOf(toolkit, actor, user)
      const token = {
        name,
        remain_quota: unlimited ? 0 : (quota ?? QUOTA_DEFAULT),
        unlimited_quota: unlimited,
        ...(expires !== undefined && { expired_time: expires }),
        ...(models !== undefined && { model_limits: models }),
        ...(allowIps !== undefined && { allow_ips: allowIps.split(',').join('\n') }),
        ...(group !== undefined && { group }),
      }
      const created = shownToken(await toolkit.tokens.create(actor, token, { ownerId: owner }), { wholeKey: true })
      if (cli.json) return cli.writeJson(created)
      cli.note(`Created token ${created.id}, ${created.name}. Its key:`)
      cli.write(created.key)
    })
}
