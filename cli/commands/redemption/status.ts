import { Command } from 'commander'
import { GatewayError } from '../../../core/errors.ts'
import type { Redemption } from '../../../core/redemption/schema.ts'
import type { Cli } from '../../cli.ts'
import { positiveInts } from '../../input/arguments.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'

/** Builds `enable` and `disable`, which differ in the status. */
export function redemptionStatus(
  cli: Cli,
  {
    verb,
    description,
    example,
    done,
  }: { verb: 'enable' | 'disable'; description: string; example: string; done: (code: Redemption) => string },
): Command {
  const command = new Command(verb).description(description).argument('<id...>', 'numbers of the codes', positiveInts)
  return withBulkFlags(command)
    .addHelpText('after', `\nExamples:\n  ${example}`)
    .action(async (ids: number[], flags: BulkFlags) => {
      const [{ toolkit, actor }, { REDEMPTION_STATUS }] = await Promise.all([
        cli.open(),
        import('../../../core/redemption/redemption.ts'),
      ])
      const status = verb === 'enable' ? REDEMPTION_STATUS.unused : REDEMPTION_STATUS.disabled
      await runBulk(cli, ids, {
        ...flags,
        async check(id) {
          const code = await toolkit.redemption.get(actor, id)
          if (code.status === REDEMPTION_STATUS.used) throw new GatewayError('REDEMPTION_NOT_EDITABLE', { id })
          return code
        },
        act: async ({ id }) => toolkit.redemption.setStatus(actor, id, status),
        done,
      })
    })
}
