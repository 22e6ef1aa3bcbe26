import Alert from '@arco-design/web-react/es/Alert'
import Form from '@arco-design/web-react/es/Form'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deleteSelf, postLogout } from '../../../api/users.ts'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { useAction } from '../../../components/saving.ts'
import { endSession } from '../../../session.ts'

interface Props {
  username: string
  visible: boolean
  onClose: () => void
}

/** A dialog that deletes the user's account and ends the session. The user must first type the username. */
export function DeleteAccountDialog({ username, visible, onClose }: Props) {
  const { t } = useTranslation()
  const [form] = Form.useForm<{ name: string }>()
  // The account is deleted, so the local session ends even if the sign-out call fails.
  const leaveAction = useMutation({ mutationFn: postLogout, onSettled: () => endSession({ expired: false }) })
  const deleteAction = useAction({ run: deleteSelf, done: t('personal.deleted'), after: () => leaveAction.mutate() })

  async function submit({ name }: { name: string }) {
    if (name === username) return deleteAction.mutateAsync()
    const problem = t('personal.typeName')
    Message.error(problem)
    throw new Error(problem) // keeps the dialog open
  }

  return (
    <FormDialog<{ name: string }>
      title={t('personal.delete')}
      visible={visible}
      form={form}
      initialValues={{ name: '' }}
      onSubmit={submit}
      onClose={onClose}
      submitText={t('personal.deleteForGood')}
      danger
    >
      <Alert type="error" content={t('personal.deleteWarning')} className="dialog-note" />
      <Field label={t('personal.typeNameLabel', { username })} field="name">
        <Input autoFocus autoComplete="off" spellCheck={false} placeholder={username} />
      </Field>
    </FormDialog>
  )
}
