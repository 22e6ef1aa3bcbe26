export const palette = {
  title: '命令面板',
  placeholder: '输入页面、操作或要查找的内容',
  language: 'Switch to English / 切换到英文',
  addChannel: '添加渠道',
  findToken: '查找令牌：{{text}}',
  findModel: '查找模型价格：{{text}}',
  findChannel: '查找渠道：{{text}}',
  findUser: '查找用户：{{text}}',
  tab: {
    operation: '运营设置',
    system: '系统设置',
    other: '其他设置',
  },
}
