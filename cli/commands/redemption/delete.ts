import { usageError } from '../../errors.ts'
import { positiveInts } from '../../input/arguments.ts'
import { counted } from '../../input/enum-labels.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../../run/bulk.ts'
import { plainVerb } from '../../run/verbs.ts'

interface Options extends BulkFlags {
  name?: string
  yes?: true
}

export const redemptionDelete = plainVerb({
  name: 'delete',
  description: 'Delete redemption codes for good; quota that was redeemed stays',
  examples: ['tollgate redemption delete 1 --yes', 'tollgate redemption delete --name launch --yes'],
  syntax: (command) =>
    withBulkFlags(
      command
        .argument('[id...]', 'numbers of the codes', positiveInts)
        .option('--name <text>', 'all codes of exactly this name, instead of numbers')
        .option('-y, --yes', 'do not ask'),
    ),
  async run(cli, ids: number[], { name, yes, keepGoing }: Options) {
    if (ids.length > 0 === (name !== undefined)) throw usageError(cli.say`give either numbers or --name`)
    const { toolkit, actor } = await cli.open()
    if (name !== undefined) {
      const { total } = await toolkit.redemption.list(actor, { name, pageSize: 1 })
      if (total > 0) await cli.confirm(cli.say`Delete all ${total} codes named ${name}?`, { yes })
      const count = await toolkit.redemption.deleteNamed(actor, name)
      return cli.report(
        counted(count, cli.say`Deleted 1 code named ${name}.`, cli.say`Deleted ${count} codes named ${name}.`),
        { name, count },
      )
    }
    await runBulk(cli, ids, {
      keepGoing,
      check: async (id) => toolkit.redemption.get(actor, id),
      approve: (found) => cli.confirm(cli.say`Delete ${found.length} codes: ${listed(found)}?`, { yes }),
      act: async ({ id }) => {
        await toolkit.redemption.delete(actor, id)
        return id
      },
      done: (id) => cli.say`Deleted code ${id}.`,
      json: (deleted) => ({ deleted }),
    })
  },
})

function listed(codes: readonly { id: number; name: string }[]): string {
  return codes.map(({ id, name }) => `${id} (${name})`).join(', ')
}
