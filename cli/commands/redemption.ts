import { GatewayError } from '../../core/errors.ts'
import { QUOTA_MAX } from '../../core/input.ts'
import { defined } from '../../core/records.ts'
import type { Redemption } from '../../core/redemption/schema.ts'
import { REDEMPTION_STATUS } from '../../core/redemption/status.ts'
import { REDEMPTION_COLUMNS } from '../columns/redemption.ts'
import { usageError } from '../errors.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { numberOfLabel } from '../input/enum-labels.ts'
import { quotaAmount } from '../output/dollars.ts'
import { type BulkFlags, runBulk, withBulkFlags } from '../run/bulk.ts'
import { bulkVerb, noun, pagedVerb, plainVerb, showVerb, type VerbTarget, YES } from '../run/verbs.ts'
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

const IDS = ['<id...>', 'redemption.codeIDs', positiveInts] as const

export const redemption = noun('redemption', [
  redemptionCreate,
  pagedVerb({
    name: 'list',
    description: 'redemption.listRedemptionCodes',
    examples: ['tollgate redemption list --status unused', 'tollgate redemption list --search spring --all --json'],
    syntax: (command) =>
      command
        .option('--search <text>', 'redemption.filterByTheStart')
        .option('--name <text>', 'redemption.filterByExactName')
        .option('--status <word>', 'redemption.filterByStatus'),
    columns: REDEMPTION_COLUMNS,
    pages({ toolkit, actor }, { search, status, name }: ListOptions) {
      const filter = {
        ...defined({ keyword: search, name }),
        ...(status !== undefined && { status: numberOfLabel(REDEMPTION_STATUS, '--status', status) }),
      }
      return (paging) => toolkit.redemption.list(actor, { ...filter, ...paging })
    },
    empty: ({ t }) => t('redemption.noCodes'),
  }),
  showVerb({
    name: 'get',
    description: 'redemption.showOneRedemptionCode',
    examples: ['tollgate redemption get 1'],
    syntax: (command) => command.argument('<id>', 'redemption.codeId', positiveInt),
    columns: REDEMPTION_COLUMNS,
    record: ({ toolkit, actor }, id: number) => toolkit.redemption.get(actor, id),
  }),
  plainVerb({
    name: 'update',
    description: 'redemption.updateAnUnusedRedemptionCode',
    examples: ['tollgate redemption update 1 --name autumn --quota 250000'],
    syntax: (command) =>
      command
        .argument('<id>', 'redemption.codeId', positiveInt)
        .option('--name <text>', 'redemption.nameUpTo20Characters')
        .option('--quota <amount>', 'redemption.quotaUnchanged', quotaAmount({ min: 1, max: QUOTA_MAX })),
    async run(cli, id: number, { name, quota }: UpdateOptions) {
      if (name === undefined && quota === undefined) throw usageError(cli.t('redemption.nothingToChange'))
      const { toolkit, actor } = await cli.open()
      const changes = defined({ name, quota })
      const code = await toolkit.redemption.update(actor, id, changes)
      cli.report(cli.t('redemption.updatedCode', { id: code.id, name: code.name }), code)
    },
  }),
  bulkVerb({
    name: 'enable',
    description: 'redemption.enableDisabledRedemptionCodes',
    examples: ['tollgate redemption enable 1'],
    argument: IDS,
    check: getEditableCode,
    run: ({ toolkit, actor }, { id }) => toolkit.redemption.setStatus(actor, id, REDEMPTION_STATUS.unused),
    doneText: ({ t }, { id, name }) => t('redemption.enabledCode', { id, name }),
  }),
  bulkVerb({
    name: 'disable',
    description: 'redemption.disableUnusedRedemptionCodes',
    examples: ['tollgate redemption disable 1'],
    argument: IDS,
    check: getEditableCode,
    run: ({ toolkit, actor }, { id }) => toolkit.redemption.setStatus(actor, id, REDEMPTION_STATUS.disabled),
    doneText: ({ t }, { id, name }) => t('redemption.disabledCode', { id, name }),
  }),
  plainVerb({
    name: 'delete',
    description: 'redemption.deleteRedemptionCodesPermanently',
    examples: ['tollgate redemption delete 1 --yes', 'tollgate redemption delete --name launch --yes'],
    syntax: (command) =>
      withBulkFlags(
        command
          .argument('[id...]', 'redemption.codeIDs', positiveInts)
          .option('--name <text>', 'redemption.allCodesWithExactlyThisName')
          .option(...YES),
      ),
    async run(cli, ids: number[], { name, yes, keepGoing }: DeleteOptions) {
      if (ids.length > 0 === (name !== undefined)) throw usageError(cli.t('redemption.passEitherCodeIDsOrName'))
      const { toolkit, actor } = await cli.open()
      if (name !== undefined) {
        const { total } = await toolkit.redemption.list(actor, { name, pageSize: 1 })
        if (total > 0) await cli.confirm(cli.t('redemption.deleteAllCodesNamed', { count: total, name }), { yes })
        const count = await toolkit.redemption.deleteNamed(actor, name)
        return cli.report(cli.t('redemption.deletedCodesNamed', { count, name }), { name, count })
      }
      await runBulk(cli, ids, {
        keepGoing,
        check: async (id) => toolkit.redemption.get(actor, id),
        confirm: (codes) =>
          cli.confirm(cli.t('redemption.deleteCodes', { count: codes.length, listed: listed(codes) }), { yes }),
        run: async ({ id }) => {
          await toolkit.redemption.delete(actor, id)
          return id
        },
        doneText: (id) => cli.t('ui.deletedCode', { id }),
        json: (deleted) => ({ deleted }),
      })
    },
  }),
  redemptionExport,
])

async function getEditableCode({ toolkit, actor }: VerbTarget, id: number): Promise<Redemption> {
  const code = await toolkit.redemption.get(actor, id)
  if (code.status === REDEMPTION_STATUS.used) throw new GatewayError('REDEMPTION_NOT_EDITABLE', { id })
  return code
}

function listed(codes: readonly { id: number; name: string }[]): string {
  return codes.map(({ id, name }) => `${id} (${name})`).join(', ')
}
