import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCopy } from '@arco-design/web-react/icon'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ROLE } from '../../../access.ts'
import { createAccessToken, deleteSelf, postLogout, type User } from '../../../api/users.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useCopy } from '../../../components/copy.tsx'
import { Field } from '../../../components/form/field.tsx'
import { FormDialog } from '../../../components/form/form-dialog.tsx'
import { useAction } from '../../../components/saving.ts'
import { rejectInput } from '../../../components/show-error.ts'
import { useUserPresent } from '../../../components/user-present.tsx'
import { endSession } from '../../../session.ts'
import { PasswordDialog } from './password-dialog.tsx'

/** The section with the access token, the password and the deletion of the account. */
export function Security({ self }: { self: User }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const [open, setOpen] = useState<'password' | 'delete'>()
  const [token, setToken] = useState<string>()
  const { ensure, dialog } = useUserPresent()
  const generateAction = useAction({ run: () => ensure(createAccessToken), after: setToken, stale: ['user'] })
  const close = () => setOpen(undefined)

  function generate() {
    if (!self.access_token) return generateAction.mutate()
    confirm({
      title: t('personal.replaceToken'),
      content: t('personal.replaceTokenText'),
      okText: t('personal.generate'),
      onOk: () => generateAction.mutateAsync(),
    })
  }

  return (
    <section className="panel" aria-labelledby="security">
      <h2 id="security">{t('personal.security')}</h2>
      <ul className="security">
        <Row title={t('personal.accessToken')} text={t('personal.accessTokenText')}>
          <Button loading={generateAction.isPending} onClick={generate}>
            {t('personal.generate')}
          </Button>
        </Row>
        <Row title={t('personal.password')} text={t('personal.passwordText')}>
          <Button onClick={() => setOpen('password')}>{t('personal.changePassword')}</Button>
        </Row>
        <Row
          title={t('personal.delete')}
          text={t(self.role >= ROLE.root ? 'personal.deleteRoot' : 'personal.deleteText')}
        >
          {self.role < ROLE.root && (
            <Button status="danger" onClick={() => setOpen('delete')}>
              {t('personal.delete')}
            </Button>
          )}
        </Row>
      </ul>
      {dialog}
      <TokenDialog token={token} onClose={() => setToken(undefined)} />
      <PasswordDialog username={self.username} visible={open === 'password'} onClose={close} />
      <DeleteAccountDialog username={self.username} visible={open === 'delete'} onClose={close} />
    </section>
  )
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <p className="panel-note">{text}</p>
      </div>
      {children}
    </li>
  )
}

/** Shows a new access token. The server does not return it again. */
function TokenDialog({ token, onClose }: { token: string | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <Modal
      title={t('personal.newToken')}
      visible={token !== undefined}
      onCancel={onClose}
      maskClosable={false}
      unmountOnExit
      footer={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <Alert type="warning" content={t('personal.newTokenText')} className="dialog-note" />
      <div className="with-button">
        <Input readOnly value={token ?? ''} aria-label={t('personal.accessToken')} className="secret" />
        <Button type="primary" icon={<IconCopy />} onClick={() => void copy(token ?? '')}>
          {t('action.copy')}
        </Button>
      </div>
    </Modal>
  )
}

interface DeleteAccountDialogProps {
  username: string
  visible: boolean
  onClose: () => void
}

/** A dialog that deletes the user's account and ends the session. The user must first type the username. */
function DeleteAccountDialog({ username, visible, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation()
  // The account is deleted, so the local session ends even if the sign-out call fails.
  const leaveAction = useMutation({ mutationFn: postLogout, onSettled: () => endSession({ expired: false }) })
  const deleteAction = useAction({ run: deleteSelf, done: t('personal.deleted'), after: () => leaveAction.mutate() })

  async function submit({ name }: { name: string }) {
    return name === username ? deleteAction.mutateAsync() : rejectInput(t('personal.typeName'))
  }

  return (
    <FormDialog<{ name: string }>
      title={t('personal.delete')}
      visible={visible}
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
