/* Built by make components from the folders beside this one: edit those. */
var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node};var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var scrollToMark=(box,text)=>{let first=text.querySelector("mark");first&&requestAnimationFrame(()=>{box.scrollTop=Math.
max(0,first.offsetTop-box.offsetTop-40)})};var drawText=(name,pieces)=>{let node=el("div",name);return node.dir="auto",node.append(...pieces.map(([part,kind])=>el(
kind==="gold"?"mark":"span",kind==="cut"?"cut":"",part))),node},drawLine=(label,node)=>{let[line,side]=[el("div","line"),
el("div")];return side.append(node),line.append(el("div","label",label),side),line},drawSeen=({pieces,title,trouble,gold})=>{
let box=el("div",["seen",gold&&"gold",trouble&&"bad"].filter(Boolean).join(" ")),text=drawText("text",pieces);return box.
append(...trouble?[el("div","trouble",trouble)]:[],...title?[el("div","title",title)]:[],text),scrollToMark(box,text),box},
drawTurn=({number,thought,did,label,seen,places})=>{let[box,side]=[el("div","turn"),el("div")];return thought.length&&side.
append(drawLine("Thinks",drawText("text",thought))),did.length&&side.append(drawLine(label,drawText("text code",did))),side.
append(...seen.map((one,place)=>drawLine(place?"":"Sees",drawSeen(one)))),places&&side.append(drawLine("From",el("div","\
places",places))),box.append(el("div","number",number),side),box},turns_default=({data,parentElement})=>find(parentElement,
".work").replaceChildren(...data.turns.map(drawTurn));export{turns_default as default};
