/* Built by make components from the folders beside this one: edit those. */
var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node};var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var scrollToMark=(box,text)=>{let first=text.querySelector("mark");first&&requestAnimationFrame(()=>{box.scrollTop=Math.
max(0,first.offsetTop-box.offsetTop-40)})};var drawCard=(card,open)=>{let[box,head,text]=[el("article",card.hit?"card hit":"card"),el("div","head"),el("div","text")];
head.append(el("span","number",card.number),el("span","title",card.title),el("span","place",card.place));let{document:document2}=card;
if(document2){let link=Object.assign(el("a","","Open document"),{href:card.href});link.onclick=event=>{event.ctrlKey||event.
metaKey||event.shiftKey||(event.preventDefault(),open(document2))},head.append(link)}return head.append(el("span",card.hit?
"cover":"cover no",card.cover)),text.dir="auto",text.append(...card.pieces.map(([part,isMarked])=>el(isMarked?"mark":"sp\
an","",part))),box.append(head,text),card.hidden&&box.append(el("div","left-out",card.hidden)),scrollToMark(text,text),box},
evidence_default=({data,parentElement,setTriggerValue})=>{let sides=data.columns.map(({title,cards,empty})=>{let side=el(
"section");return side.append(el("h4","",title),...empty?[el("p","place",empty)]:[]),side.append(...cards.map(card=>drawCard(
card,document2=>setTriggerValue("open",document2)))),side});find(parentElement,".both").replaceChildren(...sides)};export{evidence_default as default};
