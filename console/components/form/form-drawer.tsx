import Button from '@arco-design/web-react/es/Button'
import Drawer from '@arco-design/web-react/es/Drawer'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNarrow } from '../../layout/narrow.ts'
import { useLeaveGuard } from '../leave-guard.tsx'
import { LoadFailure } from '../load-failure.tsx'
import './form-drawer.css'
import { useFormWindow } from './form-window.tsx'
import { FrozenWhileClosed } from './frozen-while-closed.tsx'

interface Props<Values extends object> {
  title: string
  visible: boolean
  /** Absent: the caller does not need to read or change the fields. */
  form?: FormInstance<Values>
  /** Initial field values for each opening; undefined while loading. */
  initialValues: Partial<Values> | undefined
  /** The query that loads the values. After an error, the drawer shows a retry button. */
  loading?: { error: unknown; refetch: () => unknown }
  /** Submits the form. Must report its own errors. After a rejection, the drawer remains open with its input. */
  onSubmit: (values: Values) => Promise<unknown>
  /** Returns the error text for these invalid fields; undefined for the general text. */
  invalidText?: (fields: string[]) => string | undefined
  /** Called with the invalid fields, so that the caller can reveal hidden fields. */
  onInvalid?: (fields: string[]) => unknown
  onClose: () => void
  /** The part of the URL that keeps the drawer open. If set, navigations also ask before they discard input. */
  place?: AddressPart
  submitText?: string
  /** Width in px; phones use the full width. */
  width?: number
  children: ReactNode
}

/**
 * A form in a drawer. Enter and the button submit the form, and fields show their errors. If submitting fails, the
 * input remains. If closing would discard input, the drawer asks first.
 */
export function FormDrawer<Values extends object>({
  title,
  visible,
  form: givenForm,
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
  const [form] = Form.useForm(givenForm)
  const formWindow = useFormWindow({ visible, form, initialValues, onSubmit, onClose })
  const { id, busy, submit, touch, isEdited, close, question } = formWindow

  return (
    <>
      <Drawer
        title={
          <FrozenWhileClosed open={visible}>
            <span>{title}</span>
          </FrozenWhileClosed>
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
        <FrozenWhileClosed open={visible}>
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
                // Because of the id, a second attempt updates the message instead of adding another message.
                Message.error({ id: 'invalid', content: invalidText?.(fields) ?? t('action.checkInput') })
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
        </FrozenWhileClosed>
      </Drawer>
      {question}
      {visible && place && <AddressGuard part={place} isEdited={isEdited} />}
    </>
  )
}

/** The part of the URL that determines whether a window is open: the path, or the name of a query parameter. */
type AddressPart = 'path' | 'open' | 'add' | 'edit_tag'

interface AddressGuardProps {
  part: AddressPart
  /** Whether leaving now would lose unsaved input. */
  isEdited: () => boolean
}

/** Asks before a navigation, or closing the tab, discards input. A page must render at most one AddressGuard. */
function AddressGuard({ part, isEdited }: AddressGuardProps) {
  return useLeaveGuard(isEdited, part)
}
