import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { useOnce } from '../saving.ts'
import './wechat-dialog.css'

/** The message to which the WeChat account replies with a code, in any language. */
const CODE_KEYWORD = '验证码'

interface Props {
  title: string
  visible: boolean
  onClose: () => void
  /** Signs in or binds with the code. Rejects after reporting its own error: the dialog then stays open. */
  onCode: (code: string) => Promise<unknown>
  submitText: string
}

/** Shows the QR code of the platform's WeChat account, and has a field for the code it sends. */
export function WeChatDialog({ title, visible, onClose, onCode, submitText }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const [missing, setMissing] = useState(false)
  const sending = useMutation({ mutationFn: onCode, onSuccess: onClose })
  const send = useOnce(sending.mutateAsync)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    setMissing(code === '')
    if (code !== '') send(code)
  }

  return (
    <Modal title={title} visible={visible} onCancel={onClose} footer={null} unmountOnExit className="wechat-dialog">
      <form onSubmit={submit} noValidate>
        <img src={status?.wechat_qrcode} alt={t('account.wechatQrcode')} width={200} height={200} />
        <p id="wechat-how">{t('account.wechatHow', { word: CODE_KEYWORD })}</p>
        <Input
          name="code"
          autoFocus
          autoComplete="one-time-code"
          placeholder={t('account.wechatCode')}
          aria-label={t('account.wechatCode')}
          aria-describedby={missing ? 'wechat-how wechat-missing' : 'wechat-how'}
          aria-invalid={missing}
          {...(missing && { status: 'error' as const })}
        />
        {missing && (
          <p id="wechat-missing" className="wechat-missing" role="alert">
            {t('account.wechatMissing')}
          </p>
        )}
        <Button type="primary" htmlType="submit" long loading={sending.isPending}>
          {submitText}
        </Button>
      </form>
    </Modal>
  )
}
