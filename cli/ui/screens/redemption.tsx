import { useCallback } from 'react'
import { REDEMPTION_STATUS, type Redemption } from '../../../core/redemption/redemption.ts'
import { REDEMPTION_COLUMNS } from '../../columns/redemption.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { RedemptionForm } from '../forms/redemption.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useUi } from '../ui-context.ts'

/** Screen with the redemption codes, newest first. */
export function RedemptionScreen() {
  const { toolkit, actor, t } = useUi()
  const several = useSeveralCodes()
  const linesOf = useRecordLines()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.redemption.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )

  function bindings(code: Redemption | undefined, list: RowControl<Redemption>): KeyBinding[] {
    const create = bindKey('a', t('ui.create'), () => list.show(<RedemptionForm list={list} />))
    if (!code) return [create]
    const { id } = code
    return [
      bindKey('enter', t('ui.open'), () =>
        list.show(
          <Sheet title={t('ui.code', { id })} lines={linesOf(code, REDEMPTION_COLUMNS)} onClose={list.close} />,
        ),
      ),
      ...several(list),
      create,
      bindKey('y', t('ui.copyCode'), () => list.copy(t('ui.codeNote', { id }), code.key), { quiet: true }),
    ]
  }

  return (
    <ListScreen
      title={t('ui.codes')}
      columns={REDEMPTION_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={t('ui.noCodesYet')}
      searched={t('ui.startOfAName')}
      markable
      bindings={bindings}
    />
  )
}

function useSeveralCodes() {
  const { toolkit, actor, t, confirm } = useUi()
  return (list: RowControl<Redemption>): KeyBinding[] => {
    const { chosen, several } = list
    const { id = 0, name = '' } = chosen[0] ?? {}
    const disables = chosen.some(({ status }) => status === REDEMPTION_STATUS.unused)
    const status = disables ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
    const setStatus = () =>
      list.each({
        doing: several ? t('ui.updatingCodes', { count: chosen.length }) : t('ui.updatingCode', { id }),
        changeOne: async (code) => toolkit.redemption.setStatus(actor, code.id, status),
        doneText: (count) =>
          several
            ? disables
              ? t('ui.disabledCodes', { count })
              : t('ui.enabledCodes', { count })
            : disables
              ? t('ui.disabledCode', { id })
              : t('ui.enabledCode', { id }),
      })
    const remove = () =>
      list.each({
        doing: several ? t('ui.deletingCodes', { count: chosen.length }) : t('ui.deletingCode', { id }),
        changeOne: async (code) => toolkit.redemption.delete(actor, code.id),
        doneText: (count) => (several ? t('ui.deletedCodes', { count }) : t('ui.deletedCode', { id })),
      })
    return [
      bindKey(' ', disables ? t('ui.disable') : t('ui.enable'), setStatus),
      bindKey('d', t('ui.delete'), () =>
        confirm(several ? t('ui.deleteCodes', { count: chosen.length }) : t('ui.deleteCode', { id, name }), remove),
      ),
    ]
  }
}
