import Button from '@arco-design/web-react/es/Button'
import Form, { type FormInstance } from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import Modal from '@arco-design/web-react/es/Modal'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormWindow } from './form-window.tsx'

interface Props<Values extends object> {
  title: string
  visible: boolean
  /** Absent: the caller does not need to read or change the fields. */
  form?: FormInstance<Values>
  /** Initial field values for each opening. */
  initialValues: Partial<Values>
  /** Submits the form. Must report its own errors. After a rejection, the dialog remains open with its input. */
  onSubmit: (values: Values) => Promise<unknown>
  onClose: () => void
  /** Text of the submit button; default "OK". */
  submitText?: string
  /** True for a destructive action: the button is red. */
  danger?: boolean
  children: ReactNode
}

/**
 * A short form in a dialog. Enter and the button submit the form. If submitting fails, the input remains. If closing
 * would discard input, the dialog asks first.
 */
export function FormDialog<Values extends object>({
  title,
  visible,
  form: givenForm,
  initialValues,
  onSubmit,
  onClose,
  submitText,
  danger = false,
  children,
}: Props<Values>) {
  const { t } = useTranslation()
  const [form] = Form.useForm(givenForm)
  const formWindow = useFormWindow({ visible, form, initialValues, onSubmit, onClose })
  const { id, busy, submit, touch, close, question } = formWindow

  return (
    <>
      <Modal
        title={title}
        visible={visible}
        onCancel={close}
        maskClosable={false}
        unmountOnExit
        autoFocus={false}
        footer={
          <>
            <Button onClick={close}>{t('action.cancel')}</Button>
            <Button
              type="primary"
              htmlType="submit"
              form={id}
              loading={busy}
              {...(danger && { status: 'danger' as const })}
            >
              {submitText ?? t('action.confirm')}
            </Button>
          </>
        }
      >
        <Form
          id={id}
          form={form}
          layout="vertical"
          initialValues={initialValues}
          onSubmit={(values) => void submit(values)}
          onValuesChange={touch}
          // Because of the id, a second attempt updates the message instead of adding another message.
          onSubmitFailed={() => Message.error({ id: 'invalid', content: t('action.checkInput') })}
        >
          <div inert={busy}>{children}</div>
        </Form>
      </Modal>
      {question}
    </>
  )
}
