import { useCallback } from 'react'
import type { Redemption } from '../../../core/redemption/schema.ts'
import { REDEMPTION_STATUS } from '../../../core/redemption/status.ts'
import { REDEMPTION_COLUMNS } from '../../columns/redemption.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { RedemptionForm } from '../forms/redemption.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useStatusKeys } from '../status-keys.ts'
import { useUi } from '../ui-context.ts'

/** Screen with the redemption codes, newest first. */
export function RedemptionScreen() {
  const { toolkit, actor, t } = useUi()
  const statusKeys = useCodeStatusKeys()
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
      ...statusKeys(list),
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

function useCodeStatusKeys() {
  const { toolkit, actor, t } = useUi()
  return useStatusKeys<Redemption>({
    isEnabled: ({ status }) => status === REDEMPTION_STATUS.unused,
    setEnabled: async ({ id }, isEnabled) =>
      toolkit.redemption.setStatus(actor, id, isEnabled ? REDEMPTION_STATUS.unused : REDEMPTION_STATUS.disabled),
    remove: async ({ id }) => toolkit.redemption.delete(actor, id),
    texts: {
      updating: [({ id }) => t('ui.updatingCode', { id }), (count) => t('ui.updatingCodes', { count })],
      enabled: [({ id }) => t('ui.enabledCode', { id }), (count) => t('ui.enabledCodes', { count })],
      disabled: [({ id }) => t('ui.disabledCode', { id }), (count) => t('ui.disabledCodes', { count })],
      deleting: [({ id }) => t('ui.deletingCode', { id }), (count) => t('ui.deletingCodes', { count })],
      deleted: [({ id }) => t('ui.deletedCode', { id }), (count) => t('ui.deletedCodes', { count })],
      confirmDelete: [({ id, name }) => t('ui.deleteCode', { id, name }), (count) => t('ui.deleteCodes', { count })],
    },
  })
}
