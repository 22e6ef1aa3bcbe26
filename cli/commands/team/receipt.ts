import { Command } from 'commander'
import { GatewayError } from '../../../core/errors.ts'
import type { Cli } from '../../cli.ts'

export function teamReceipt(cli: Cli): Command {
  return new Command('receipt')
    .description('Compute the price of a request of a team again; exit code 1 when it is not equal')
    .argument('<name|id>', 'name or number of the team')
    .argument('<request-id>', 'as the reply and the log row have it')
    .addHelpText('after', '\nExample:\n  tollgate team receipt lab 20261124093015a1b2c3d4e50000000042')
    .action(async (nameOrId: string, requestId: string) => {
      const [{ toolkit, actor }, { teamOf }, { showReceipt }] = await Promise.all([
        cli.open(),
        import('../../teams.ts'),
        import('../../receipt-view.ts'),
      ])
      const { id } = await teamOf(toolkit, actor, nameOrId)
      const { receipt } = await toolkit.teams.usage.request(actor, id, requestId)
      if (!receipt) throw new GatewayError('LOG_WITHOUT_RECEIPT', { id: requestId })
      await showReceipt(cli, receipt)
    })
}
