/* Built by make components from the folders beside this one: edit those. */
var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node};var findAll=(root,selector,_kind)=>[...root.querySelectorAll(selector)];var SIGNS_OF_LIFE=["keydown","mousemove","pointerdown","wheel","scroll","touchmove"],ActiveTime=class{constructor(){this.
total=0,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible",this.alive=()=>{this.settle(),
this.life=performance.now()},this.turned=()=>{this.settle(),document.visibilityState==="visible"&&(this.life=performance.
now())};for(let kind of SIGNS_OF_LIFE)window.addEventListener(kind,this.alive,{capture:!0,passive:!0});document.addEventListener(
"visibilitychange",this.turned,!0)}get isActive(){return document.visibilityState==="visible"&&performance.now()-this.life<=
6e4}settle(){let now=performance.now(),counted=Math.min(now,this.life+6e4)-this.mark;this.seen&&counted>0&&(this.total+=
counted),this.mark=now,this.seen=document.visibilityState==="visible"}start(seconds=0){this.total=Math.max(0,Number(seconds)||
0)*1e3,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible"}get seconds(){return this.settle(),
Math.round(this.total/100)/10}stop(){for(let kind of SIGNS_OF_LIFE)window.removeEventListener(kind,this.alive,{capture:!0});
document.removeEventListener("visibilitychange",this.turned,!0)}};var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var COVERS='[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]',TYPING="data-benchwright-typing";var typesInto=node=>!!node?.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName??"")||document.body.hasAttribute(
TYPING),isCovered=root=>[...document.querySelectorAll(COVERS)].some(node=>!root.contains(node)&&node.getClientRects().length),
hearKeys=(rootOf,whileTyping,whileReading)=>{let heard=event=>{if(event.isComposing||event.keyCode===229||event.defaultPrevented)
return;let root=rootOf(),at=event.composedPath()[0];(typesInto(at)?root.contains(at)&&whileTyping(event,at):!isCovered(root)&&
whileReading(event,at))&&(event.preventDefault(),event.stopPropagation())};return document.addEventListener("keydown",heard,
{capture:!0}),()=>document.removeEventListener("keydown",heard,{capture:!0})},hasModifier=event=>event.ctrlKey||event.metaKey||
event.altKey,pressOnce=(event,act)=>act?(event.repeat||act(),!0):!1;var Sheet=class{constructor(parent){this.root=find(parent,".desk"),this.data={},this.given={},this.subject=null,this.pressed=
0,this.waits=!1,this.time=new ActiveTime,this.find(".save").onclick=()=>this.save(),this.find(".skip").onclick=()=>this.
tell("skip"),this.find(".undo").onclick=()=>this.tell("undo"),this.stopKeys=hearKeys(()=>this.root,(event,at)=>this.whileTyping(
event,at),(event,at)=>this.whileReading(event,at))}start(){return{}}build(){}draw(){}acts(){return{}}confirm(){}get place(){
return`benchwright:${this.data.kind}:${this.data.workspace}:${this.data.person}:${this.subject}`}find(selector,kind){return find(
this.root,selector,kind)}render({data,setTriggerValue}){if(this.data=data,this.setTriggerValue=setTriggerValue,this.waits=
this.waits&&data.last<this.pressed&&data.subject===this.subject,data.subject===this.subject)return this.draw();this.subject=
data.subject,this.root.dataset.subject=data.subject,this.time.start(),this.given=this.start(),this.given=memory.get(this.
place)??this.given,this.build(),this.draw()}stop(){this.stopKeys(),this.time.stop()}keep(){memory.set(this.place,this.given)}foot(may,said=""){
let{person}=this.data;this.find(".save",HTMLButtonElement).disabled=!may||!person||this.waits;for(let name of[".undo",".\
skip"])this.find(name,HTMLButtonElement).disabled=!person||this.waits;this.root.inert=this.waits,this.find(".said").textContent=
person?said:"Give your name first: nothing is stored without a name."}save(){this.find(".save",HTMLButtonElement).disabled||
this.tell("save")}tell(what){if(this.waits||!this.data.person)return;this.waits=!0,this.pressed=Math.max(this.pressed,this.
data.last,Date.now())+1;let key=`${this.subject}/${this.data.person}/${this.pressed}`,{subject,given,pressed:n}=this;this.
setTriggerValue?.("pressed",{n,what,subject,key,...given,seconds:this.time.seconds}),what==="save"&&memory.drop(this.place),
this.draw()}whileTyping(event,at){let isEnter=event.key==="Enter"&&(event.ctrlKey||event.metaKey);return event.key!=="Es\
cape"&&!isEnter?!1:(at.blur(),isEnter&&this.confirm(),!0)}whileReading(event,at){let{key}=event;if(this.waits||hasModifier(
event)||key==="Enter"&&at?.closest?.("button, summary, a[href]"))return!1;let acts={Enter:()=>this.save(),u:()=>this.tell(
"undo"),n:()=>this.tell("skip"),...this.acts()};return pressOnce(event,acts[key.length===1?key.toLowerCase():key])}};var PLACES=["left","right"],BETTER=[["left","1 is better","←"],["same","Alike","0"],["right","2 is better","→"]],button2=(words,key,kind,act)=>{
let made=button(`button ${kind}`,`${words} `);return key&&made.append(el("kbd","",key)),made.onclick=act,made},DraftPair=class extends Sheet{taken="\
left";reasonsOf=null;start(){let{data}=this;return this.taken=data.left?"left":"right",this.reasonsOf=null,{left:this.first(
"left"),right:this.first("right"),preference:data.standing?.preference??""}}first(place){let draft=this.data[place],said=this.
data.standing?.[place];return draft?{decision:said?.decision??"",reason:said?.reason??"",question:said?.question??draft.
question,answer:said?.answer??draft.answer}:null}build(){let{data}=this,paper=this.find(".paper");paper.lang=data.language,
paper.replaceChildren(...data.text.flatMap(line=>{let row=el("div",line.marks.length?"line marked":"line"),words=el("div",
"foreign",line.text);return words.dir="auto",row.append(el("span","where",line.marks.length?line.marks.join(" "):""),words),
line.title?[el("div","title foreign",line.title),row]:[row]}));for(let place of PLACES)this.card(place);this.find(".pref\
er").replaceChildren(...BETTER.map(([place,words,key])=>{let made=button2(words,key,"",()=>this.prefer(place));return made.
dataset.better=place,made.setAttribute("role","radio"),made})),this.find(".prefer").hidden=!(data.left&&data.right);let first=findAll(
paper,".marked")[0];paper.scrollTop=first?Math.max(0,first.offsetTop-paper.offsetTop-60):0}card(place){let draft=this.data[place],
card=this.find(`[data-place=${place}]`),number=place==="left"?"1":"2";if(card.lang=this.data.language,card.onpointerdown=
()=>this.take(place),!draft)return card.replaceChildren(el("p","faint","The other side has no draft for this text. Decid\
e only on this draft."));let head=el("div","head");head.append(el("b","",`Draft ${number}`),el("kbd","",number),el("span",
"state"));let boxes=["question","answer"].flatMap(name=>{let box=el("textarea",name);return box.value=this.given[place][name],
box.dir="auto",box.spellcheck=!1,box.setAttribute("aria-label",`${name} of draft ${number}`),box.onfocus=()=>this.take(place),
box.oninput=()=>{this.given[place][name]=box.value,this.keep(),this.draw()},[el("div","label",name==="question"?"Questio\
n":"Answer"),box]}),inputs=Object.entries(draft.inputs).flatMap(([name,text])=>[el("div","label",name),el("div","foreign",
text)]),quotes=el("div","quotes");quotes.append(...draft.evidence.map(one=>{let quote=el("blockquote","foreign",one.text);
return quote.dir="auto",quote}));let row=el("div","row"),why=el("div","why");row.append(button2("Accept","a","accept",()=>this.
decide("accept",place)),button2("Discard","x","discard",()=>this.decide("discard",place))),why.hidden=!0,card.replaceChildren(
head,...boxes,...inputs,el("div","label",`Evidence (${draft.evidence.length})`),quotes,row,why)}draw(){let{data,given}=this;
for(let place of PLACES){let card=this.find(`[data-place=${place}]`),own=given[place];if(card.classList.toggle("taken",place===
this.taken&&!!own),!own)continue;let edited=own.question!==data[place].question||own.answer!==data[place].answer,state=find(
card,".state");state.textContent=own.decision==="accept"?edited?"Accept, edited":"Accept":own.decision?`Discard${own.reason?
`: ${own.reason}`:""}`:edited?"Edited":"",state.className=`state ${own.decision}`;for(let name of["accept","discard"])find(
card,`button.${name}`).classList.toggle("chosen",own.decision===name);let why=find(card,".why");why.hidden=this.reasonsOf!==
place,why.hidden||why.replaceChildren(...data.reasons.map((reason,n)=>button2(reason,n<9?String(n+1):"",own.reason===reason?
"chosen":"",()=>this.because(n))))}for(let made of findAll(this.root,"[data-better]"))made.classList.toggle("chosen",made.
dataset.better===given.preference),made.setAttribute("aria-checked",String(made.dataset.better===given.preference));let isWhole=PLACES.
every(place=>!given[place]||given[place].decision);this.foot(isWhole)}take(place){!this.given[place]||this.taken===place||
(this.taken=place,this.reasonsOf=null,this.draw())}decide(decision,place=this.taken){let own=this.given[place];this.taken=
place,own.decision=decision,decision==="accept"&&(own.reason=""),this.reasonsOf=decision==="discard"?place:null;let other=PLACES.
find(one=>one!==place&&this.given[one]&&!this.given[one].decision);decision==="accept"&&other&&(this.taken=other),this.keep(),
this.draw()}because(n){if(!this.reasonsOf)return;let own=this.given[this.reasonsOf];if(!own||!this.data.reasons[n])return;
own.reason=this.data.reasons[n];let other=PLACES.find(one=>one!==this.reasonsOf&&this.given[one]&&!this.given[one].decision);
this.reasonsOf=null,other&&(this.taken=other),this.keep(),this.draw()}prefer(place){this.given.preference=this.given.preference===
place?"":place,this.keep(),this.draw()}confirm(){this.decide("accept")}acts(){if(this.reasonsOf){let reasons=this.data.reasons.
slice(0,9).map((_,n)=>[n+1,()=>this.because(n)]);return{...this.ways(),...Object.fromEntries(reasons),Escape:()=>{this.reasonsOf=
null,this.draw()}}}return{1:()=>this.take("left"),2:()=>this.take("right"),...this.ways()}}ways(){let box=name=>findAll(
this.root,`[data-place=${this.taken}] textarea.${name}`)[0]?.focus();return{a:()=>this.decide("accept"),x:()=>this.decide(
"discard"),q:()=>box("question"),w:()=>box("answer"),...this.find(".prefer").hidden?{}:{ArrowLeft:()=>this.prefer("left"),
ArrowRight:()=>this.prefer("right"),0:()=>this.prefer("same")}}}},pair_default=mount(parent=>new DraftPair(parent));export{pair_default as default};
