import { GatewayError } from '../../core/errors.ts'
import { QUOTA_MAX } from '../../core/input.ts'
import type { Redemption } from '../../core/redemption/schema.ts'
import { REDEMPTION_STATUS } from '../../core/redemption/status.ts'
import { REDEMPTION_COLUMNS } from '../columns/redemption.ts'
import { usageError } from '../errors.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { counted, numberOf } from '../input/enum-labels.ts'
import { quotaAmount } from '../output/dollars.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../run/bulk.ts'
import { bulkVerb, type Gateway, noun, pagedVerb, plainVerb, showVerb, YES } from '../run/verbs.ts'
import { redemptionCreate } from './redemption/create.ts'
import { redemptionExport } from './redemption/export.ts'

interface DeleteOptions extends BulkFlags {
  name?: string
  yes?: true
}

interface UpdateOptions {
  name?: string
  quota?: number
}

interface ListOptions {
  search?: string
  status?: string
  name?: string
}

const IDS = ['<id...>', 'code IDs', positiveInts] as const

export const redemption = noun('redemption', [
  redemptionCreate,
  pagedVerb({
    name: 'list',
    description: 'List redemption codes, newest first',
    examples: ['tollgate redemption list --status unused', 'tollgate redemption list --search spring --all --json'],
    syntax: (command) =>
      command
        .option('--search <text>', 'filter by the start of the name, or by ID')
        .option('--name <text>', 'filter by exact name')
        .option('--status <word>', 'filter by status: unused, disabled or used'),
    columns: REDEMPTION_COLUMNS,
    pages({ toolkit, actor }, { search, status, name }: ListOptions) {
      const filter = {
        ...(search !== undefined && { keyword: search }),
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status: numberOf(REDEMPTION_STATUS, '--status', status) }),
      }
      return (paging) => toolkit.redemption.list(actor, { ...filter, ...paging })
    },
    empty: ({ say }) => say`No codes. Create some: tollgate redemption create --quota 500000 --count 10`,
  }),
  showVerb({
    name: 'get',
    description: 'Show one redemption code',
    examples: ['tollgate redemption get 1'],
    syntax: (command) => command.argument('<id>', 'code ID', positiveInt),
    columns: REDEMPTION_COLUMNS,
    record: ({ toolkit, actor }, id: number) => toolkit.redemption.get(actor, id),
  }),
  plainVerb({
    name: 'update',
    description: 'Update an unused redemption code',
    examples: ['tollgate redemption update 1 --name autumn --quota 250000'],
    syntax: (command) =>
      command
        .argument('<id>', 'code ID', positiveInt)
        .option('--name <text>', 'name, up to 20 characters (default: unchanged)')
        .option(
          '--quota <amount>',
          "quota, such as 500000 or '$1' (default: unchanged)",
          quotaAmount({ min: 1, max: QUOTA_MAX }),
        ),
    async run(cli, id: number, { name, quota }: UpdateOptions) {
      if (name === undefined && quota === undefined)
        throw usageError(cli.say`nothing to change: pass --name or --quota`)
      const { toolkit, actor } = await cli.open()
      const changes = { ...(name !== undefined && { name }), ...(quota !== undefined && { quota }) }
      const code = await toolkit.redemption.update(actor, id, changes)
      cli.report(cli.say`Updated code ${code.id}, ${code.name}.`, code)
    },
  }),
  bulkVerb({
    name: 'enable',
    description: 'Enable disabled redemption codes',
    examples: ['tollgate redemption enable 1'],
    argument: IDS,
    check: editableCode,
    run: ({ toolkit, actor }, { id }) => toolkit.redemption.setStatus(actor, id, REDEMPTION_STATUS.unused),
    done: ({ say }, { id, name }) => say`Enabled code ${id}, ${name}.`,
  }),
  bulkVerb({
    name: 'disable',
    description: 'Disable unused redemption codes',
    examples: ['tollgate redemption disable 1'],
    argument: IDS,
    check: editableCode,
    run: ({ toolkit, actor }, { id }) => toolkit.redemption.setStatus(actor, id, REDEMPTION_STATUS.disabled),
    done: ({ say }, { id, name }) => say`Disabled code ${id}, ${name}.`,
  }),
  plainVerb({
    name: 'delete',
    description: 'Delete redemption codes permanently; redeemed quota stays',
    examples: ['tollgate redemption delete 1 --yes', 'tollgate redemption delete --name launch --yes'],
    syntax: (command) =>
      withBulkFlags(
        command
          .argument('[id...]', 'code IDs', positiveInts)
          .option('--name <text>', 'all codes with exactly this name, instead of IDs')
          .option(...YES),
      ),
    async run(cli, ids: number[], { name, yes, keepGoing }: DeleteOptions) {
      if (ids.length > 0 === (name !== undefined)) throw usageError(cli.say`pass either code IDs or --name`)
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
        approve: (codes) => cli.confirm(cli.say`Delete ${codes.length} codes: ${listed(codes)}?`, { yes }),
        run: async ({ id }) => {
          await toolkit.redemption.delete(actor, id)
          return id
        },
        done: (id) => cli.say`Deleted code ${id}.`,
        json: (deleted) => ({ deleted }),
      })
    },
  }),
  redemptionExport,
])

async function editableCode({ toolkit, actor }: Gateway, id: number): Promise<Redemption> {
  const code = await toolkit.redemption.get(actor, id)
  if (code.status === REDEMPTION_STATUS.used) throw new GatewayError('REDEMPTION_NOT_EDITABLE', { id })
  return code
}

function listed(codes: readonly { id: number; name: string }[]): string {
  return codes.map(({ id, name }) => `${id} (${name})`).join(', ')
}
