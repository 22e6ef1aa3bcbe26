export const component = {
  format: '格式化',
  copyCode: '复制代码',
  taskDone: '已完成',
  taskOpen: '未完成',
  footnotes: '脚注',
  footnoteBack: '回到引用 {{number}}',
  loadImage: '加载来自 {{host}} 的图片',
  imageFailed: '图片未加载：{{reason}}',
}
