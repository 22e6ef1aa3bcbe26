import Button from '@arco-design/web-react/es/Button'
import Drawer from '@arco-design/web-react/es/Drawer'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../../layout/narrow.ts'
import { LoadFailure } from '../load-failure.tsx'
import { AddressGuard, type AddressPart } from './address-guard.tsx'
import './form-drawer.css'
import { useFormWindow } from './form-window.tsx'
import { Kept } from './kept.tsx'

interface Props<Values extends object> {
  title: string
  visible: boolean
  form: FormInstance<Values>
  /** The fields start with these each time the drawer opens; undefined while they are being loaded. */
  initialValues: Partial<Values> | undefined
  /** How they are loaded: whoever sees that it failed can ask again. */
  loading?: { error: unknown; refetch: () => unknown }
  /** Rejects when it failed, and has said so: the drawer then stays as it is. */
  onSubmit: (values: Values) => Promise<unknown>
  /** What to say of these fields in place of the general text. */
  invalidText?: (fields: string[]) => string | undefined
  /** Told of the fields whose rules are not met, so that the one who hides some can show them. */
  onInvalid?: (fields: string[]) => unknown
  onClose: () => void
  /** What of the address says that it is open, if anything does: back then asks first, too. */
  place?: AddressPart
  submitText?: string
  /** px; the whole width on a phone. */
  width?: number
  children: ReactNode
}

/** A form in a drawer: Enter and the button submit, a problem is shown at its field, neither a failure nor closing it loses anything unasked. */
export function FormDrawer<Values extends object>({
  title,
  visible,
  form,
  initialValues,
  loading,
  onSubmit,
  invalidText,
  onInvalid,
  onClose,
  place,
  submitText,
  width = 560,
  children,
}: Props<Values>) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const { id, busy, submit, touch, isTyped, close, question } = useFormWindow({
    visible,
    form,
    initialValues,
    onSubmit,
    onClose,
  })

  return (
    <>
      <Drawer
        title={
          <Kept open={visible}>
            <span>{title}</span>
          </Kept>
        }
        visible={visible}
        width={narrow ? '100%' : width}
        onCancel={close}
        unmountOnExit
        maskClosable={false}
        autoFocus={false}
        footer={
          <>
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button type="primary" htmlType="submit" form={id} loading={busy} disabled={visible && !initialValues}>
              {submitText ?? t('action.submit')}
            </Button>
          </>
        }
      >
        <Kept open={visible}>
          {initialValues ? (
            <Form
              id={id}
              form={form}
              layout="vertical"
              initialValues={initialValues}
              onSubmit={(values) => void submit(values)}
              onValuesChange={touch}
              onSubmitFailed={(errors) => {
                const fields = Object.keys(errors)
                Message.error(invalidText?.(fields) ?? t('action.checkInput'))
                onInvalid?.(fields)
              }}
              scrollToFirstError
            >
              <div inert={busy}>{children}</div>
            </Form>
          ) : loading?.error ? (
            <LoadFailure error={loading.error} onRetry={() => void loading.refetch()} />
          ) : (
            <Skeleton animation text={{ rows: 8 }} />
          )}
        </Kept>
      </Drawer>
      {question}
      {visible && place && <AddressGuard part={place} isTyped={isTyped} />}
    </>
  )
}
