import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import InputNumber from '@arco-design/web-react/es/InputNumber'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCopy, IconDownload } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CODES_MAX,
  createRedemptions,
  getRedemption,
  REDEMPTION_STATUS,
  updateRedemption,
} from '../../api/redemption.ts'
import { createRequestKeys } from '../../api/request-keys.ts'
import { useStatus } from '../../api/status.ts'
import { formatQuota } from '../../components/amounts.ts'
import { useCopy } from '../../components/copy.tsx'
import { Field } from '../../components/form/field.tsx'
import { FormDrawer } from '../../components/form/form-drawer.tsx'
import { FrozenWhileClosed } from '../../components/form/frozen-while-closed.tsx'
import { QuotaInput } from '../../components/form/quota-input.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useAction } from '../../components/saving.ts'
import { rejectInput } from '../../components/show-error.ts'
import {
  CODE_QUOTA_PRESETS,
  codeChangesOf,
  codeCountProblem,
  codeNameFits,
  NEW_REDEMPTION_FORM,
  type RedemptionFormValues,
} from './redemption-form.ts'

/** Codes that were created together, and their common name. */
export interface CreatedCodes {
  name: string
  codes: string[]
}

interface Props {
  /** The id of the code to edit or `'new'`; undefined closes the drawer. */
  opened: string | undefined
  onClose: () => void
  onCreated: (batch: CreatedCodes) => void
}

export function RedemptionDrawer({ opened, onClose, onCreated }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const requestKeys = useMemo(createRequestKeys, [])
  const createdBatch = useRef<CreatedCodes>(undefined)
  const openings = useRef(0)
  const isNew = opened === 'new'
  const redemption = useQuery({
    queryKey: ['redemption', 'one', opened],
    queryFn: ({ signal }) => getRedemption(Number(opened), signal),
    enabled: opened !== undefined && !isNew,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const fixed = redemption.data !== undefined && redemption.data.status !== REDEMPTION_STATUS.unused

  const createAction = useAction({
    async run({ name, quota, count }: RedemptionFormValues) {
      const request = { name: name.trim() || (status ? formatQuota(quota, status) : String(quota)), quota, count }
      const opening = openings.current
      const batch = { name: request.name, codes: await createRedemptions(request, requestKeys.keyFor(request)) }
      requestKeys.forget()
      // The codes are shown when the drawer closes, or now if the user has already closed the drawer.
      if (opening === openings.current) createdBatch.current = batch
      else onCreated(batch)
    },
    done: t('redemption.createdDone'),
    stale: ['redemption'],
  })

  const updateAction = useAction({ run: updateRedemption, done: t('redemption.updated'), stale: ['redemption'] })

  async function update(values: RedemptionFormValues) {
    const changes = redemption.data && codeChangesOf(redemption.data, values)
    return changes ? updateAction.mutateAsync(changes) : rejectInput(t('action.nothingChanged'), 'info')
  }

  const reportCreated = useEffectEvent(() => {
    openings.current++
    if (createdBatch.current) onCreated(createdBatch.current)
    createdBatch.current = undefined
  })
  // Runs whenever the drawer closes, also by the back button.
  useEffect(() => {
    if (opened !== undefined) return () => reportCreated()
  }, [opened])

  return (
    <FormDrawer<RedemptionFormValues>
      title={isNew ? t('redemption.create') : t('redemption.update')}
      visible={opened !== undefined}
      initialValues={isNew ? NEW_REDEMPTION_FORM : redemption.data}
      loading={redemption}
      onSubmit={isNew ? createAction.mutateAsync : update}
      onClose={onClose}
      place="open"
      width={480}
    >
      {fixed && <Alert type="warning" style={{ marginBottom: 16 }} content={t('redemption.notEditable')} />}
      <RedemptionFields isNew={isNew} fixed={fixed} />
    </FormDrawer>
  )
}

/** `fixed` is true for a used or disabled code, which cannot be edited. */
function RedemptionFields({ isNew, fixed }: { isNew: boolean; fixed: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <Field
        label={t('field.name')}
        field="name"
        extra={isNew ? t('redemption.nameHint') : undefined}
        rules={[
          ...(isNew ? [] : [{ required: true, message: t('field.nameMissing') }]),
          {
            validator: (name: string | undefined, callback) =>
              callback(codeNameFits(name ?? '') ? undefined : t('redemption.nameLength')),
          },
        ]}
      >
        <Input autoFocus disabled={fixed} />
      </Field>
      <Field
        label={t('field.quota')}
        field="quota"
        rules={[
          { required: true, message: t('field.quotaMissing') },
          { type: 'number', min: 1, message: t('redemption.quotaPositive') },
        ]}
      >
        <QuotaInput presets={CODE_QUOTA_PRESETS} disabled={fixed} />
      </Field>
      {isNew && (
        <Field
          label={t('redemption.count')}
          field="count"
          extra={t('redemption.countHint', { max: CODES_MAX })}
          rules={[
            {
              validator: (count: number | undefined, callback) => {
                const problem = codeCountProblem(count)
                callback(problem && t(`redemption.${problem}`, { max: CODES_MAX }))
              },
            },
          ]}
        >
          <InputNumber min={0} max={Number.MAX_SAFE_INTEGER} precision={0} />
        </Field>
      )}
    </>
  )
}

/** A dialog with newly created codes, which the user can copy or save as a text file. */
export function NewCodesDialog({ batch, onClose }: { batch: CreatedCodes | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const text = batch?.codes.join('\n') ?? ''

  function download() {
    if (batch) saveFile(`${batch.name}.txt`, `${text}\n`)
    onClose()
  }

  return (
    <Modal
      title={t('redemption.made')}
      visible={batch !== undefined}
      onCancel={onClose}
      focusLock
      autoFocus
      footer={
        <>
          <Button onClick={onClose}>{t('action.close')}</Button>
          <Button icon={<IconCopy />} onClick={() => void copy(text)}>
            {t('redemption.copyAll')}
          </Button>
          <Button type="primary" icon={<IconDownload />} onClick={download}>
            {t('redemption.download')}
          </Button>
        </>
      }
    >
      <p className="panel-note">{t('redemption.downloadQuestion')}</p>
      <FrozenWhileClosed open={batch !== undefined}>
        <Input.TextArea
          readOnly
          value={text}
          aria-label={t('redemption.codes', { count: batch?.codes.length ?? 0 })}
          autoSize={{ minRows: 2, maxRows: 10 }}
          style={{ marginTop: 12 }}
        />
      </FrozenWhileClosed>
    </Modal>
  )
}
