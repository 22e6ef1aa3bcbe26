import { QUOTA_MAX } from '../../../core/input.ts'
import { usageError } from '../../errors.ts'
import { positiveInt } from '../../input/arguments.ts'
import { quotaAmount } from '../../output/dollars.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options {
  name?: string
  quota?: number
}

export const redemptionUpdate = plainVerb({
  name: 'update',
  description: 'Change an unused redemption code',
  examples: ['tollgate redemption update 1 --name autumn --quota 250000'],
  syntax: (command) =>
    command
      .argument('<id>', 'number of the code', positiveInt)
      .option('--name <text>', 'what you will know it by, up to 20 characters (default: as it is)')
      .option(
        '--quota <amount>',
        "what it is worth, such as 500000 or '$1' (default: as it is)",
        quotaAmount({ min: 1, max: QUOTA_MAX }),
      ),
  async run(cli, id: number, { name, quota }: Options) {
    if (name === undefined && quota === undefined) throw usageError(cli.say`give --name or --quota: what to change`)
    const { toolkit, actor } = await cli.open()
    const changes = { ...(name !== undefined && { name }), ...(quota !== undefined && { quota }) }
    const code = await toolkit.redemption.update(actor, id, changes)
    cli.report(cli.say`Code ${code.id}, ${code.name}, is changed.`, code)
  },
})
