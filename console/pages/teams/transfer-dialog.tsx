import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { createRequestKeys } from '../../api/request-keys.ts'
import { transferToTeam } from '../../api/teams.ts'
import { Field } from '../../components/form/field.tsx'
import { FormDialog } from '../../components/form/form-dialog.tsx'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { useAction } from '../../components/saving.ts'

/** A dialog that transfers quota from the user to a team. A retry after a lost reply transfers nothing twice. */
export function TransferQuotaDialog({ id, visible, onClose }: { id: number; visible: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const requestKeys = useMemo(createRequestKeys, [])
  const transferAction = useAction({
    async run(quota: number) {
      await transferToTeam(id, quota, requestKeys.keyFor({ id, quota }))
      requestKeys.forget()
    },
    done: t('action.done'),
    stale: ['team', 'user'],
  })
  return (
    <FormDialog<{ quota: number }>
      title={t('team.transfer')}
      visible={visible}
      initialValues={{ quota: 500_000 }}
      onSubmit={({ quota }) => transferAction.mutateAsync(quota)}
      onClose={onClose}
      submitText={t('team.transfer')}
    >
      <Field
        label={t('field.quota')}
        field="quota"
        extra={t('team.transferHint')}
        rules={[{ required: true, message: t('field.missing') }]}
      >
        <QuotaInput min={1} />
      </Field>
    </FormDialog>
  )
}
